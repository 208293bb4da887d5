import { useQuery } from '@tanstack/react-query';
import { atrium } from '../../session/atrium.ts';

/** The plan of the account. */
export function usePlan() {
  return useQuery({
    queryKey: ['plan'],
    queryFn: ({ signal }) => atrium.auth.getPlan({ signal }),
  });
}
