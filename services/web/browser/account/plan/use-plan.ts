import { useQuery } from '@tanstack/react-query';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';

/** The plan of the account. */
export function usePlan() {
  return useQuery({
    queryKey: queryKeys.plan.own,
    queryFn: ({ signal }) => atrium.auth.getPlan({ signal }),
  });
}
