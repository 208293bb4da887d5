import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { KubernetesObject } from './objects.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Where the schemas and types of each group are. */
const MODULES: Record<string, string> = {
  v1: 'kubernetes-models/v1',
  'apps/v1': 'kubernetes-models/apps/v1',
  'autoscaling/v2': 'kubernetes-models/autoscaling/v2',
  'batch/v1': 'kubernetes-models/batch/v1',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  'policy/v1': 'kubernetes-models/policy/v1',
  'gateway.networking.k8s.io/v1': '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1',
  'keda.sh/v1alpha1': '@kubernetes-models/keda/keda.sh/v1alpha1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
};

type Model = new (data: KubernetesObject) => { validate(): void };

const title = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`;

/** What the schemas of Kubernetes and of the operators find wrong. */
export async function schemaProblems(objects: KubernetesObject[]): Promise<string[]> {
  const problems: string[] = [];
  for (const object of objects) {
    const module = MODULES[object.apiVersion];
    if (module === undefined) {
      problems.push(`${title(object)}: there is no schema of ${object.apiVersion}`);
      continue;
    }
    const models: Record<string, Model | undefined> = await import(`${module}/${object.kind}`);
    const Kind = models[object.kind];
    try {
      if (Kind === undefined) throw new Error(`${module} has no such kind`);
      new Kind(object).validate();
    } catch (error) {
      problems.push(`${title(object)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return problems;
}

/**
 * Fields that do not exist. The schemas allow them, and Kubernetes drops them: a misspelt probe is no probe.
 * The types of the same packages do not, so the compiler looks for them.
 */
export async function unknownFields(objects: KubernetesObject[]): Promise<string[]> {
  const known = objects.filter(({ apiVersion }) => apiVersion in MODULES);
  const unique = new Map(known.map((object) => [JSON.stringify(object), object]));
  const lines = Array.from(unique, ([json, { apiVersion, kind }], index) => {
    return `export const o${index}: import('${MODULES[apiVersion]}/${kind}').I${kind} = ${json};`;
  });
  const folder = join(ROOT, 'node_modules', '.cache', `helm-objects-${process.pid}`);
  const file = join(folder, 'objects.ts');
  await mkdir(folder, { recursive: true });
  await writeFile(file, lines.join('\n'));
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--types', ''];
  const run = promisify(execFile)(compiler, [...options, '--module', 'nodenext', file]);
  const output = await run.then(
    () => '',
    (error: { stdout?: string }) => error.stdout ?? 'the compiler could not be started',
  );
  await rm(folder, { recursive: true });
  const objectAt = [...unique.values()];
  const found = Array.from(output.matchAll(/^\S*objects\.ts\((\d+),\d+\): (.+)$/gm));
  if (output !== '' && found.length === 0) throw new Error(output);
  return found.map(([, line, message = '']) => {
    const object = objectAt[Number(line) - 1];
    return `${object === undefined ? file : title(object)}: ${message}`;
  });
}
