import { AtriumError, type Workspace } from '@atrium/client';
import { PLAN_LIMITS } from '../../account/plan/limits.ts';
import { usePlan } from '../../account/plan/use-plan.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/**
 * Refuses a file as the service would after it has been sent. The limit is that of the owner's plan; other
 * members do not know it, so for them it is that of the largest.
 */
export function useSizeCheck(role: Workspace['role'] | undefined) {
  const { tooLarge } = useSignedInText().attachments;
  const { data: account } = usePlan();
  const limits = PLAN_LIMITS[role === 'owner' && account !== undefined ? account.plan : 'pro'];
  return (what: 'file' | 'archive', { size }: File): void => {
    const limit = what === 'file' ? limits.fileSizeBytes : limits.archiveSizeBytes;
    if (size <= limit) return;
    const most = limit >= GIB ? `${limit / GIB} GB` : `${limit / MIB} MB`;
    throw new AtriumError(403, 'Forbidden', tooLarge[what](most));
  };
}
