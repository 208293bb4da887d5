import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from '../http/error.ts';
import type { Import, Workspace } from '../types.ts';
import { type CallApi, sendAuthorized } from './api.ts';
import { CommandError } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { CommandSession } from './session.ts';

const POLL_MS = 500;
const NAME_MAX_LENGTH = 100;

export interface ImportNotesOptions {
  call: CallApi;
  session: CommandSession;
  output: Output;
  /** The archive. */
  path: string;
  /** A new one by default. */
  workspaceId: string | undefined;
  signal: AbortSignal;
}

/** Uploads an archive and follows its import until it is finished. */
export async function importNotes(options: ImportNotesOptions): Promise<void> {
  const { call, session, output, path } = options;
  const unreadable = () => {
    throw new CommandError('usage', `${path} cannot be read`);
  };
  if ((await stat(path).catch(unreadable)).isDirectory()) {
    throw new CommandError('usage', `${path} is a folder: pack it as a zip archive`);
  }
  const archive = await openAsBlob(path).catch(unreadable);
  const { notesUrl } = await session.credentials();
  const workspacesUrl = `${notesUrl}/api/workspaces`;
  const name = basename(path, '.zip').slice(0, NAME_MAX_LENGTH) || 'Import';
  const workspaceId = options.workspaceId ?? (await createWorkspace(call, workspacesUrl, name));
  const url = `${workspacesUrl}/${encodeURIComponent(workspaceId)}`;
  const removeNew = async () => {
    if (options.workspaceId === undefined) await call('DELETE', url).catch(() => undefined);
  };
  const queued = await uploadArchive(options, `${url}/imports`, archive).catch(async (error) => {
    await removeNew();
    throw error;
  });
  const done = await follow(options, `${url}/imports/${queued.id}`, queued);
  if (done.state === 'failed') {
    if (done.created === 0) await removeNew();
    throw new CommandError('failed', done.error ?? 'The import failed');
  }
  for (const { path: entry, reason } of done.skipped) {
    output.line(`Left out ${entry}: ${reason}.`, { event: 'skipped', path: entry, reason });
  }
  const more = done.skippedCount - done.skipped.length;
  if (more > 0) output.line(`${more} more were left out.`, { event: 'skippedMore', count: more });
  if (options.workspaceId === undefined && done.source !== null) {
    const { source } = done;
    await call('PATCH', url, source, { isIdempotent: true }).catch((error: Error) => {
      const line = `The workspace is not named ${source.name}: ${error.message}`;
      output.line(line, { event: 'notNamed', name: source.name, reason: error.message });
    });
  }
  const { created, unchanged, skippedCount } = done;
  output.line(
    `Imported ${path} into ${workspaceId}: ${created} notes created, ${unchanged} were there already.`,
    { event: 'imported', workspaceId, created, unchanged, skipped: skippedCount },
  );
}

async function createWorkspace(call: CallApi, url: string, name: string): Promise<string> {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  return (await call<Workspace>('POST', url, { name }, { headers, isIdempotent: true })).id;
}

async function uploadArchive(
  { session, output, path, signal }: ImportNotesOptions,
  url: string,
  archive: Blob,
): Promise<Import> {
  output.line(`Uploading ${path} …`, { event: 'uploading', bytes: archive.size });
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const { body } = await sendAuthorized(
    session,
    { method: 'POST', url, headers, body: archive, isIdempotent: true },
    { signal },
  );
  return body as Import;
}

async function follow(
  { call, output, signal }: ImportNotesOptions,
  url: string,
  queued: Import,
): Promise<Import> {
  for (let latest = queued, shown = 0; ;) {
    const { state, done, total } = latest;
    if (state === 'completed' || state === 'failed') return latest;
    if (done > shown) {
      output.line(`${done} of ${total} …`, { event: 'importing', done, total });
      shown = done;
    }
    await sleep(POLL_MS, undefined, { signal });
    latest = await call<Import>('GET', url).catch((failure: unknown) => {
      if (isTransient(failure)) return latest;
      throw failure;
    });
  }
}
