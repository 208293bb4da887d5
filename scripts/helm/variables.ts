import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, readConfig } from '../../packages/service-kit/src/config.ts';
import { AuthConfigSchema } from '../../services/auth/src/config.ts';
import { LinksConfig } from '../../services/links/src/config.ts';
import { NotesConfig, NotesWorkerConfig } from '../../services/notes/src/config.ts';
import { WebConfig } from '../../services/web/src/config.ts';
import { WebhooksConfig, WorkerConfig } from '../../services/webhook-dispatcher/src/config.ts';
import { type Compose, type KubernetesObject, type Workload, workloadsOf } from './objects.ts';

const SCHEMAS: Record<string, Parameters<typeof readConfig>[0]> = {
  auth: AuthConfigSchema,
  notes: NotesConfig,
  'notes-worker': NotesWorkerConfig,
  links: LinksConfig,
  'webhook-dispatcher': WebhooksConfig,
  web: WebConfig,
  worker: WorkerConfig,
};

/** Instead of what the files of Secrets have. */
const KEYS = `k1:${Buffer.alloc(32).toString('base64')}`;
const SECRETS: Record<string, string> = {
  DATABASE_URL: 'postgres://user:password@database/name',
  DATABASE_READ_URL: 'postgres://user:password@standby/name',
  REDIS_URL: 'redis://user:password@redis:6379',
  SMTP_URL: 'smtp://mail:25',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=token',
  SECRETS_KEYS: KEYS,
  MESSAGE_KEYS: KEYS,
};
const READ_BY_NODE = new Set(['NODE_EXTRA_CA_CERTS']);
const ANY_SECRET = 'a secret of enough characters';

/** Variables by name, without `_FILE`. */
export function variablesOf({ container }: Workload): Map<string, string | undefined> {
  return new Map(
    (container.env ?? []).map(({ name, value }) => {
      const secret = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : undefined;
      return secret === undefined ? [name, value] : [secret, SECRETS[secret] ?? ANY_SECRET];
    }),
  );
}

/** Variables that a process would not read or start with, or that are not as compose has them. */
export function variableProblems(objects: KubernetesObject[], compose: Compose): string[] {
  return workloadsOf(objects).flatMap((workload) => {
    const { kind, name } = workload;
    if (kind === 'StatefulSet') return [];
    const variables = variablesOf(workload);
    const composed = new Map(Object.entries(compose.services[name]?.environment ?? {}));
    const schema = SCHEMAS[name];
    const isRead = (variable: string) =>
      READ_BY_NODE.has(variable) ||
      (schema === undefined ? variable === 'DATABASE_URL' : variable in schema.properties) ||
      composed.has(variable);
    const unread = [...variables.keys()].filter((variable) => !isRead(variable));
    // What compose lets nobody choose.
    const fixed = Array.from(composed, ([key, value]) => [key, String(value)] as const).filter(
      ([key, value]) => !key.endsWith('_FILE') && !value.includes('${'),
    );
    const different = fixed.filter(
      ([key, value]) => variables.has(key) && variables.get(key) !== value,
    );
    return [
      ...unread.map((variable) => `${kind} ${name}: nothing reads ${variable}`),
      ...different.map(([key, value]) => `${kind} ${name}: ${key} is not ${value}`),
      ...(schema === undefined ? [] : startProblems(name, schema, variables)),
    ];
  });
}

/** Variables that do not have the value that is given for them. */
export function differentValues(
  objects: KubernetesObject[],
  given: Record<string, unknown>,
): string[] {
  return workloadsOf(objects).flatMap(({ name, container }) =>
    (container.env ?? [])
      .filter(({ name: variable, value }) => variable in given && value !== String(given[variable]))
      .map(({ name: variable }) => `${name}: ${variable} is not ${String(given[variable])}`),
  );
}

function startProblems(
  name: string,
  schema: Parameters<typeof readConfig>[0],
  variables: Map<string, string | undefined>,
): string[] {
  try {
    readConfig(schema, Object.fromEntries(variables));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((fault) => `${name} does not start: ${fault}`);
  }
}

/** Variables that compose passes on and no set of values does: nobody has tried whether the chart can. */
export function forgottenVariables(sets: KubernetesObject[][], compose: Compose): string[] {
  const rendered = new Map<string, Set<string>>();
  for (const workload of sets.flatMap(workloadsOf)) {
    const seen = rendered.get(workload.name) ?? new Set();
    for (const variable of variablesOf(workload).keys()) seen.add(variable);
    rendered.set(workload.name, seen);
  }
  return Array.from(rendered, ([name, seen]) => {
    const composed = Object.keys(compose.services[name]?.environment ?? {});
    return composed
      .map((variable) => variable.replace(/_FILE$/, ''))
      .filter((variable) => seen.size > 0 && !seen.has(variable))
      .map((variable) => `${name}: no set of values has ${variable} of docker-compose.yml`);
  }).flat();
}

/** The heap that the Dockerfile gives a process, and as much again beside it, must fit into its memory. */
export async function memoryProblems(objects: KubernetesObject[]): Promise<string[]> {
  const dockerfile = await readFile(join(import.meta.dirname, '..', '..', 'Dockerfile'), 'utf8');
  const heapMb = Number(/--max-old-space-size=(\d+)/.exec(dockerfile)?.[1]);
  return workloadsOf(objects).flatMap(({ name, container }) => {
    const limit = String(container.resources?.limits?.['memory']);
    const [, amount, unit] = /^(\d+)([MG])i$/.exec(limit) ?? [];
    const megabytes = Number(amount) * (unit === 'G' ? 1024 : 1);
    return megabytes >= 2 * heapMb
      ? []
      : [`${name}: ${limit} is too little for a heap of ${heapMb} MB`];
  });
}
