import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';

/**
 * Where to go after a login: `return_to` of the URL, as it was when the page was opened. While the page that it leads
 * to is loaded, the URL is that page's already.
 */
export function useReturnTo(): string | undefined {
  const asked = useLocation({
    select: ({ search }) => ('return_to' in search ? String(search.return_to) : undefined),
  });
  return useState(asked)[0];
}
