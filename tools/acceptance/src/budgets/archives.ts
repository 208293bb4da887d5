import { setTimeout as sleep } from 'node:timers/promises';
import { call, text } from '../client.ts';
import type { Attack } from './attack.ts';
import type { Account, Field } from './field.ts';
import { ARCHIVES } from './hostile-archives.ts';

const IMPORT_MAX_MS = 180_000;
const POLL_MS = 250;

/** @returns how the import ended, with its reason or the first reason for what was left out */
async function importArchive(
  { urls }: Field,
  { token, workspaceId, address }: Account,
  archive: Buffer,
): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address };
  const importsUrl = `${urls.notes}/api/workspaces/${workspaceId}/imports`;
  const uploaded = await fetch(importsUrl, {
    method: 'POST',
    headers,
    body: Uint8Array.from(archive),
    signal: AbortSignal.timeout(IMPORT_MAX_MS),
  });
  if (uploaded.status !== 202) return `${uploaded.status}`;
  const { id } = (await uploaded.json()) as { id: string };
  const endMs = Date.now() + IMPORT_MAX_MS;
  while (Date.now() < endMs) {
    await sleep(POLL_MS);
    // The process may have ended; whoever imports then may still come back.
    const read = await call('GET', `${importsUrl}/${id}`, { token, headers }).catch(() => null);
    const state = read?.status === 200 ? text(read.body, 'state') : '';
    if (state === 'failed') return `failed: ${String(read?.body['error'])}`.slice(0, 120);
    if (state === 'completed') {
      const { created, skippedCount, skipped } = read?.body ?? {};
      const [first] = skipped as { reason: string }[];
      const why = first === undefined ? '' : ` (${first.reason})`;
      return `completed: ${String(created)} created, ${String(skippedCount)} left out${why}`;
    }
  }
  return 'not over';
}

export const ARCHIVE_ATTACKS: readonly Attack[] = Object.entries(ARCHIVES).map(
  ([name, [title, make]]) => ({
    name: `archive-${name}`,
    title: `import of ${title}`,
    async prepare(field) {
      const account = await field.createAccount();
      const archive = make();
      return async (answers) => {
        const outcome = await importArchive(field, account, archive);
        answers.add(outcome);
        return outcome === 'not over' ? ['the import was not over after three minutes'] : [];
      };
    },
  }),
);
