import { readFile } from 'node:fs/promises';
import { AuthConfigSchema } from '@atrium/auth/config';
import { LinksConfig } from '@atrium/links/config';
import { NotesConfig } from '@atrium/notes/config';
import { WebhooksConfig, WorkerConfig } from '@atrium/webhook-dispatcher/config';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface ComposeService {
  environment?: Record<string, unknown>;
  command?: string[];
  ports?: string[];
  secrets?: string[];
  read_only?: boolean;
}
interface ComposeFile {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
}

const compose = parse(
  await readFile(new URL('../../../docker-compose.yml', import.meta.url), 'utf8'),
  { merge: true },
) as ComposeFile;

const SCHEMAS = {
  auth: AuthConfigSchema,
  notes: NotesConfig,
  links: LinksConfig,
  'webhook-dispatcher': WebhooksConfig,
  worker: WorkerConfig,
};

function isRequired(schema: { required: string[] }, variable: string): boolean {
  return schema.required.includes(variable);
}

test.each(Object.entries(SCHEMAS))(
  '%s gets every variable it needs and no other',
  (name, schema) => {
    const given = Object.keys(compose.services[name]?.environment ?? {}).map((variable) =>
      variable.replace(/_FILE$/, ''),
    );
    const known = Object.keys(schema.properties);
    expect(given.filter((variable) => !known.includes(variable))).toEqual([]);
    const needed = Object.entries<object>(schema.properties)
      .filter(([variable, property]) => isRequired(schema, variable) && !('default' in property))
      .map(([variable]) => variable);
    expect(needed.filter((variable) => !given.includes(variable))).toEqual([]);
  },
);

test('every port is published on 127.0.0.1 only', () => {
  for (const port of Object.values(compose.services).flatMap((service) => service.ports ?? [])) {
    expect(port).toMatch(/^127\.0\.0\.1:/);
  }
});

test('every secret that a service mounts is declared', () => {
  const mounted = Object.values(compose.services).flatMap((service) => service.secrets ?? []);
  expect(mounted.filter((secret) => !(secret in compose.secrets))).toEqual([]);
});

test('our processes have a read-only root filesystem and run a file that exists', async () => {
  const ours = Object.values(compose.services).filter((service) => service.command?.[0] === 'node');
  expect(ours).toHaveLength(9);
  for (const { command, read_only } of ours) {
    expect(read_only).toBe(true);
    await readFile(new URL(`../../../${command?.[1] ?? ''}`, import.meta.url));
  }
});
