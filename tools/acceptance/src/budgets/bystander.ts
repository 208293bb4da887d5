import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { call, text } from '../client.ts';
import type { Field } from './field.ts';
import type { ProbeName, Probed, ProbeReport, ProbeTargets } from './probe-worker.ts';

/** Another account, which works during an attack. */
export interface Bystander {
  token: string;
  noteId: string;
  watch(): Watch;
}

interface Watch {
  /** @returns what the requests took; a save that was answered and is not there counts as wrong */
  stop(): Promise<Record<ProbeName, Probed>>;
}

const WORKER = new URL('./probe-worker.ts', import.meta.url);

export async function startBystander(field: Field): Promise<Bystander> {
  const { auth, notes, links } = field.urls;
  const { token, noteId } = await field.createAccount();
  const link = await call('POST', `${links}/api/links`, {
    token,
    body: { url: 'https://example.com/' },
  });
  const workerData: ProbeTargets = {
    token,
    meUrl: `${auth}/user/me`,
    noteUrl: `${notes}/api/notes/${noteId}`,
    shortUrl: text(link.body, 'shortUrl'),
  };

  async function isStored({ saved, uncertain }: ProbeReport): Promise<boolean> {
    const { body } = await call('GET', workerData.noteUrl, { token });
    return [saved, ...uncertain].includes(text(body, 'content'));
  }

  return {
    token,
    noteId,
    watch() {
      const worker = new Worker(WORKER, { workerData });
      // A failure elsewhere must not keep it running.
      worker.unref();
      const answer = once(worker, 'message') as Promise<[ProbeReport]>;
      return {
        async stop() {
          worker.postMessage('stop');
          const [report] = await answer;
          if (!(await isStored(report))) report.probes.save.wrong['the last one is lost'] = 1;
          return report.probes;
        },
      };
    },
  };
}
