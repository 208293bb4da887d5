import { purgeIdempotencyKeys } from '@atrium/service-kit/idempotency-store';
import { purgeActivities, trimActivities } from '../activity/retention.ts';
import { detachUnused, eraseDetached, type PurgeDeps } from '../attachments/purge.ts';
import { purgeImports } from '../import/purge.ts';
import { purgeInvitations } from '../invitations/store.ts';
import { eraseOrphans } from '../search-index/orphans.ts';
import { purgeTrash } from '../trash/store.ts';
import { purgeVersions } from '../versions/retention.ts';
import { eraseDeletedWorkspaces } from '../workspaces/erasure.ts';

const MINUTE_MS = 60_000;
const ORPHANS_EVERY_MS = 5 * MINUTE_MS;
/** An abandoned upload keeps others out of its workspace. */
const PURGE_IMPORTS_EVERY_MS = 5 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** What is erased in time, by all workers together. */
export function createJobs(deps: PurgeDeps) {
  const { database, storage } = deps;
  return {
    'purge-attachments': {
      everyMs: HOUR_MS,
      async run(signal: AbortSignal) {
        await detachUnused(deps, signal);
        await eraseDetached(deps, signal);
      },
    },
    'erase-deleted-workspaces': {
      everyMs: MINUTE_MS,
      run: (signal: AbortSignal) => eraseDeletedWorkspaces(deps, signal),
    },
    'erase-orphaned-search-rows': {
      everyMs: ORPHANS_EVERY_MS,
      run: (signal: AbortSignal) => eraseOrphans(database, signal),
    },
    'purge-invitations': {
      everyMs: HOUR_MS,
      run: (signal: AbortSignal) => purgeInvitations(database, signal),
    },
    'purge-versions': {
      everyMs: HOUR_MS,
      run: (signal: AbortSignal) => purgeVersions(database, signal),
    },
    'purge-activity': {
      everyMs: HOUR_MS,
      async run(signal: AbortSignal) {
        await purgeActivities(database, signal);
        await trimActivities(database, signal);
      },
    },
    'purge-trash': { everyMs: HOUR_MS, run: (signal: AbortSignal) => purgeTrash(database, signal) },
    'purge-imports': {
      everyMs: PURGE_IMPORTS_EVERY_MS,
      run: (signal: AbortSignal) => purgeImports(database, storage, signal),
    },
    'purge-idempotency-keys': {
      everyMs: HOUR_MS,
      run: (signal: AbortSignal) => purgeIdempotencyKeys(database, signal),
    },
  };
}
