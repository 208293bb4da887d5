import { useEffect } from 'react';

/** What fails without the network is said, too. */
export function usePreloadedToasts(): void {
  useEffect(() => {
    import('./toast-list.tsx').catch(() => undefined);
  }, []);
}
