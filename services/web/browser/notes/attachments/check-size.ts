import { type AccountPlan, AtriumError } from '@atrium/client';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { loadErrorsIfShown } from '../../texts/de/load-errors.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/**
 * Refuses a file as the service would after it has been sent, in its words. The limit is that of the plan of
 * the workspace's owner; other members do not know it, so for them it is that of the largest.
 *
 * @throws AtriumError 403
 */
export async function checkSize(
  what: 'file' | 'archive',
  { size }: File,
  plan: AccountPlan['plan'] = 'pro',
): Promise<void> {
  const limits = PLAN_LIMITS[plan];
  const limit = what === 'file' ? limits.fileSizeBytes : limits.archiveSizeBytes;
  if (size <= limit) return;
  const most = limit >= GIB ? `${limit / GIB} GB` : `${limit / MIB} MB`;
  await loadErrorsIfShown();
  throw new AtriumError(
    403,
    'Plan Limit Exceeded',
    `${what === 'file' ? 'A file' : 'An archive'} may have at most ${most} in this workspace`,
    { code: 'plan-limit-size' },
  );
}
