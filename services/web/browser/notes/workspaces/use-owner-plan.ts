import type { AccountPlan, Workspace } from '@atrium/client';
import { usePlan } from '../../account/plan/use-plan.ts';

/** The plan of the owner of a workspace, which only the owner knows. */
export function useOwnerPlan(role: Workspace['role'] | undefined): AccountPlan['plan'] | undefined {
  const { data: account } = usePlan();
  return role === 'owner' ? account?.plan : undefined;
}
