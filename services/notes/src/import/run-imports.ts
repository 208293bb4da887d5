import { HttpError } from '@atrium/service-kit/http-error';
import type { Logger } from '@atrium/service-kit/logger';
import { RefusedArchive } from './archive.ts';
import { type ImportDeps, importArchive } from './import-archive.ts';
import { FAILURES_MAX, LeaseLost, type LeasedImport, RENEW_EVERY_MS } from './store.ts';

const TRY_AGAIN = 'The archive could not be imported, please try again';

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
    if ((await imports.finish(leased, error)) === 'finished') await storage.remove(leased.id);
  };
  try {
    // Each time before, its process ended.
    if (leased.failures > FAILURES_MAX) return await finish(TRY_AGAIN);
    await importArchive(deps, leased, AbortSignal.any([signal, lost.signal]));
    await finish(null);
  } catch (error) {
    if (error instanceof LeaseLost) return;
    const isRefused = error instanceof HttpError && error.status < 500;
    if (error instanceof RefusedArchive || isRefused) return await finish(error.message);
    if (!signal.aborted) {
      logger.warn({ err: error, importId: leased.id }, 'import interrupted, will be resumed');
    }
    const outcome = await imports.release(leased, signal.aborted ? 'shutdown' : 'failure');
    if (outcome === 'exhausted') await finish(TRY_AGAIN);
  } finally {
    clearInterval(renewal);
  }
}
