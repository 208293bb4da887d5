import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const REPOSITORY_ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

export type ProcessName =
  | 'web'
  | 'auth'
  | 'notes'
  | 'notes-worker'
  | 'webhook-dispatcher'
  | 'links'
  | 'worker';

/** One process of the platform; ports are relative to PORT_BASE. */
export interface ProcessSpec {
  name: ProcessName;
  folder: string;
  /** An absolute path, which also identifies our processes (see process-identity). */
  entry: string;
  /** The name of its database without the platform's prefix; null when it stores nothing. */
  database: string | null;
  /** null for the worker of webhooks, which serves only metrics and health checks. */
  portOffset: number | null;
  metricsOffset: number;
}

function spec(
  name: ProcessName,
  service: string,
  database: string | null,
  portOffset: number | null,
  metricsOffset: number,
): ProcessSpec {
  const folder = join(REPOSITORY_ROOT, 'services', service);
  const entry = join(folder, 'src', name.endsWith('worker') ? 'worker.ts' : 'main.ts');
  return { name, folder, entry, database, portOffset, metricsOffset };
}

export const PROCESSES: readonly ProcessSpec[] = [
  spec('auth', 'auth', 'auth', 1, 101),
  spec('notes', 'notes', 'notes', 2, 102),
  spec('notes-worker', 'notes', 'notes', 6, 106),
  spec('webhook-dispatcher', 'webhook-dispatcher', 'webhooks', 3, 103),
  spec('links', 'links', 'links', 4, 104),
  spec('web', 'web', null, 0, 100),
  spec('worker', 'webhook-dispatcher', 'webhooks', null, 105),
];
