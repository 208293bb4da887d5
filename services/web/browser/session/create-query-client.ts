import { QueryClient } from '@tanstack/react-query';
import { STALE_MS } from '../ui/live.ts';

/**
 * The client itself repeats what may be repeated. Nothing waits for the network: a note that this device has
 * kept opens without it, and a click that waited would happen when the person is elsewhere.
 */
export function createQueryClient(): QueryClient {
  const requests = { retry: false, networkMode: 'offlineFirst' } as const;
  return new QueryClient({
    defaultOptions: { queries: { ...requests, staleTime: STALE_MS }, mutations: requests },
  });
}
