import { AtriumError, type Workspace } from '@atrium/client';
import { PLAN_LIMITS } from '../../account/plan/limits.ts';
import { usePlan } from '../../account/plan/use-plan.ts';
import { loadRefusalsIfShown } from '../../texts/de/load-refusals.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/**
 * Refuses a file as the service would after it has been sent, in its words. The limit is that of the owner's
 * plan; other members do not know it, so for them it is that of the largest.
 */
export function useSizeCheck(role: Workspace['role'] | undefined) {
  const { data: account } = usePlan();
  const limits = PLAN_LIMITS[role === 'owner' && account !== undefined ? account.plan : 'pro'];
  return async (what: 'file' | 'archive', { size }: File): Promise<void> => {
    const limit = what === 'file' ? limits.fileSizeBytes : limits.archiveSizeBytes;
    if (size <= limit) return;
    const most = limit >= GIB ? `${limit / GIB} GB` : `${limit / MIB} MB`;
    await loadRefusalsIfShown();
    throw new AtriumError(
      403,
      'Plan Limit Exceeded',
      `${what === 'file' ? 'A file' : 'An archive'} may have at most ${most} in this workspace`,
    );
  };
}
