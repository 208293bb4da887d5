import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '@atrium/local-stack/process-table';
import { createMetrics } from '@atrium/service-kit/metrics';
import { countReads } from '@atrium/service-kit/read-replica';
import { expect, test } from 'vitest';
import { sharedAtrium } from './shared-atrium.fixture.ts';

const atrium = await sharedAtrium();

/** The metrics in a PromQL text: ours and Node's have one of these prefixes. */
function metricsIn(text: string): Set<string> {
  return new Set(
    text.match(
      /\b(webhook|outbox|http|nodejs|process|clicks|database|trace|partitions|replica|email)_[a-z0-9_]+/g,
    ),
  );
}

async function exported(portOffset: number): Promise<Set<string>> {
  const { port } = new URL(atrium.urls.auth);
  const metricsPort = Number(port) - 1 + portOffset;
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  return namesIn(await response.text());
}

/** What services export that have a standby; the shared platform has none. */
async function exportedWithStandby(): Promise<Set<string>> {
  const metrics = createMetrics();
  countReads(metrics, () => 0);
  return namesIn(await metrics.metrics());
}

function namesIn(text: string): Set<string> {
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
    const services = [101, 102, 103, 104, 105, 106].map(exported);
    const sources = await Promise.all([...services, exportedWithStandby()]);
    const isExported = (name: string) => sources.some((names) => names.has(name));
    expect([...wanted].filter((name) => !isExported(name))).toEqual([]);
  },
);
