import { readFile } from 'node:fs/promises';
import { AuthConfigSchema } from '@atrium/auth/config';
import { LinksConfig } from '@atrium/links/config';
import { NotesConfig, NotesWorkerConfig } from '@atrium/notes/config';
import { WebConfig } from '@atrium/web/config';
import { WebhooksConfig, WorkerConfig } from '@atrium/webhook-dispatcher/config';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface ComposeService {
  environment?: Record<string, unknown>;
  command?: string[];
  ports?: string[];
  secrets?: string[];
  networks?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  logging?: { options?: Record<string, string> };
}
interface ComposeFile {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
}

const compose = parse(
  await readFile(new URL('../../../../docker-compose.yml', import.meta.url), 'utf8'),
  { merge: true },
) as ComposeFile;

const SCHEMAS = {
  auth: AuthConfigSchema,
  notes: NotesConfig,
  'notes-worker': NotesWorkerConfig,
  links: LinksConfig,
  'webhook-dispatcher': WebhooksConfig,
  worker: WorkerConfig,
  web: WebConfig,
};

/** Workers share the secrets of their service. */
const OWNERS: Record<string, string> = { worker: 'webhook-dispatcher', 'notes-worker': 'notes' };

/**
 * What the image and the grants of Redis say, a folder that `SMTP_URL` replaces, what tests set, and a standby, which is
 * past one host.
 */
const ABSENT = 'HOST QUEUE_PREFIX MAIL_DIR RELAY_INTERVAL_MS DATABASE_READ_URL'.split(' ');
/** For the allocator and for the library that traces, not for the configuration. */
const READ_ELSEWHERE = /^(MALLOC_|OTEL_RESOURCE_ATTRIBUTES$|OTEL_EXPORTER_OTLP_COMPRESSION$)/;

test.each(Object.entries(SCHEMAS))(
  '%s gets every variable of its configuration and no other, each from the same name',
  (name, schema) => {
    const environment = Object.entries(compose.services[name]?.environment ?? {}).filter(
      ([variable]) => !READ_ELSEWHERE.test(variable),
    );
    const given = environment.map(([variable]) => variable.replace(/_FILE$/, ''));
    const known = Object.keys(schema.properties).filter((variable) => !ABSENT.includes(variable));
    expect(given.toSorted()).toEqual(known.toSorted());
    for (const [variable, value] of environment) {
      const [, source = variable] = /^\$\{(\w+)/.exec(String(value)) ?? [];
      expect(source).toBe(variable);
    }
  },
);

test('only the gateway and the mailbox publish ports, on 127.0.0.1 by default', () => {
  const published = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
  expect(published.map(([name]) => name)).toEqual(['gateway', 'mailpit']);
  for (const port of published.flatMap(([, { ports = [] }]) => ports)) {
    expect(port).toMatch(/^(\$\{(HTTPS?|MAILPIT)_PORT:-)?127\.0\.0\.1:/);
  }
});

test('the log of every container is limited', () => {
  for (const { logging } of Object.values(compose.services)) {
    expect(logging?.options).toHaveProperty('max-size');
  }
});

test('the gateway does not reach the data network', () => {
  expect(compose.services['gateway']?.networks).toEqual(['edge']);
});

/** With which notes and auth encrypt what they tell each other. */
const SHARED_SECRETS = ['message_keys'];

test('a secret belongs to one service, but for those with which services speak', () => {
  const owners = new Map<string, Set<string>>();
  for (const name of Object.keys(SCHEMAS)) {
    for (const secret of compose.services[name]?.secrets ?? []) {
      const owner = OWNERS[name] ?? name;
      owners.set(secret, (owners.get(secret) ?? new Set()).add(owner));
    }
  }
  const shared = [...owners].filter(([, { size }]) => size > 1).map(([secret]) => secret);
  expect(shared).toEqual(SHARED_SECRETS);
});

test('every secret that a service mounts is declared', () => {
  const mounted = Object.values(compose.services).flatMap((service) => service.secrets ?? []);
  expect(mounted.filter((secret) => !(secret in compose.secrets))).toEqual([]);
});

test('our processes are read-only, have no capabilities and run a file that exists', async () => {
  const ours = Object.values(compose.services).filter((service) => service.command?.[0] === 'node');
  expect(ours).toHaveLength(11);
  for (const { command, read_only, cap_drop } of ours) {
    expect(read_only).toBe(true);
    expect(cap_drop).toEqual(['ALL']);
    await readFile(new URL(`../../../../${command?.[1] ?? ''}`, import.meta.url));
  }
});
