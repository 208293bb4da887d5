import { setTimeout as sleep } from 'node:timers/promises';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Logger } from '@atrium/service-kit/logger';
import { RefusedArchive } from './archive.ts';
import { type ImportDeps, importArchive } from './import-archive.ts';
import { type ImportStore, LeaseLost, type LeasedImport, RENEW_EVERY_MS } from './store.ts';

const TRY_AGAIN = 'The archive could not be imported, please try again';
const ENDED_TWICE = 'The import was interrupted twice: please try a smaller archive';
/** An archive may be what has ended the process. */
const INTERRUPTIONS_MAX = 1;
/** While Postgres is away, an import that failed would otherwise count as one that has ended its process. */
const RELEASE_TRIES = 60;
const RELEASE_EVERY_MS = 1_000;

/** Imports all archives that wait, until none is left: one at a time, as each may take much memory. */
export async function runImports(
  deps: ImportDeps,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const leased = await deps.imports.lease();
    if (leased === null) return;
    await runImport(deps, logger, leased, signal);
  }
  signal.throwIfAborted();
}

async function runImport(
  deps: ImportDeps,
  logger: Logger,
  leased: LeasedImport,
  signal: AbortSignal,
): Promise<void> {
  const { imports, storage } = deps;
  const lost = new AbortController();
  const renewal = setInterval(() => {
    imports.renew(leased).catch((error: unknown) => {
      if (error instanceof LeaseLost) lost.abort(error);
      else logger.warn({ err: error, importId: leased.id }, 'lease not renewed, will try again');
    });
  }, RENEW_EVERY_MS);
  const finish = async (error: string | null) => {
    if ((await imports.finish(leased, error)) === 'lost') return;
    await storage.remove(leased.id).catch((cause: unknown) => {
      logger.warn({ err: cause, importId: leased.id }, 'archive not removed, will be purged');
    });
  };
  try {
    if (leased.interruptions > INTERRUPTIONS_MAX) return await finish(ENDED_TWICE);
    const outcome = await importArchive(deps, leased, AbortSignal.any([signal, lost.signal]));
    if (outcome === 'complete') await finish(null);
    else await imports.release(leased, 'interrupted');
  } catch (error) {
    if (error instanceof LeaseLost) return;
    const isRefused = error instanceof HttpError && error.status < 500;
    if (error instanceof RefusedArchive || isRefused) return await finish(error.message);
    if (!signal.aborted) {
      logger.warn({ err: error, importId: leased.id }, 'import interrupted, will be resumed');
    }
    const outcome = await release(imports, leased, signal);
    if (outcome === 'exhausted') await finish(TRY_AGAIN);
  } finally {
    clearInterval(renewal);
  }
}

async function release(imports: ImportStore, leased: LeasedImport, signal: AbortSignal) {
  for (let left = RELEASE_TRIES; ; left -= 1) {
    try {
      return await imports.release(leased, signal.aborted ? 'interrupted' : 'failed');
    } catch (error) {
      if (signal.aborted || left === 0) throw error;
      await sleep(RELEASE_EVERY_MS);
    }
  }
}
