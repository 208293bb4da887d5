import type { Workspace } from '@atrium/contracts/notes/notes';
import type { WorkspaceRecord } from './store.ts';

/** A workspace as responses show it. */
export function representWorkspace(workspace: WorkspaceRecord): Workspace {
  return { ...workspace, createdAt: workspace.createdAt.toISOString() };
}
