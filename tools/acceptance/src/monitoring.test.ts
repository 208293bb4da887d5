import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '@atrium/local-stack/process-table';
import { expect, test } from 'vitest';
import { sharedAtrium } from './shared-atrium.fixture.ts';

const atrium = await sharedAtrium();

/** The metrics in a PromQL text: ours and Node's have one of these prefixes. */
function metricsIn(text: string): Set<string> {
  return new Set(
    text.match(/\b(webhook|outbox|http|nodejs|process|clicks|database|trace)_[a-z0-9_]+/g),
  );
}

async function exported(portOffset: number): Promise<Set<string>> {
  const { port } = new URL(atrium.urls.auth);
  const metricsPort = Number(port) - 1 + portOffset;
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  const text = await response.text();
  const names = [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  return new Set(names);
}

const dashboards = await readdir(join(REPOSITORY_ROOT, 'deploy/grafana'));

test.each(['prometheus/alerts.yml', ...dashboards.map((name) => `grafana/${name}`)])(
  '%s queries only metrics that the platform exports',
  async (file) => {
    const wanted = metricsIn(await readFile(join(REPOSITORY_ROOT, 'deploy', file), 'utf8'));
    expect(wanted.size).toBeGreaterThan(5);
    const sources = await Promise.all([101, 102, 103, 104, 105, 106].map(exported));
    const isExported = (name: string) => sources.some((names) => names.has(name));
    expect([...wanted].filter((name) => !isExported(name))).toEqual([]);
  },
);
