import { useLocation } from '@tanstack/react-router';

/** The address to go to after a login, as the address of the page says, for the links to the pages before it. */
export function useReturnTo(): string | undefined {
  return useLocation({
    select: ({ search }) => ('return_to' in search ? String(search.return_to) : undefined),
  });
}
