import { createWorkspaces } from '@atrium/client/workspaces';
import { atrium } from '../../session/atrium.ts';

/** Members and versions, beside the notes of `atrium`. */
export const workspaces = createWorkspaces(atrium);
