import { useLocation } from '@tanstack/react-router';

/** Where to go after a login: `return_to` of the URL. */
export function useReturnTo(): string | undefined {
  return useLocation({
    select: ({ search }) => ('return_to' in search ? String(search.return_to) : undefined),
  });
}
