import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IContainer, IPodSpec } from 'kubernetes-models/v1';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..', '..');

export type Labels = Record<string, string>;

/** Anything that the chart makes. Schemas are checked first; the rules then trust the shape. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels; annotations?: Labels };
  spec?: unknown;
  data?: Labels;
}

/** What runs: a Deployment, a StatefulSet or a Job. */
export interface Workload {
  kind: string;
  /** The process or server, as docker-compose.yml names it. */
  name: string;
  labels: Labels;
  pod: IPodSpec;
  container: IContainer;
}

interface PodTemplate {
  template: { metadata: { labels: Labels }; spec: IPodSpec };
}

/** @throws Error when a pod does not have exactly one container: each rule is about that one */
export function workloadsOf(objects: KubernetesObject[]): Workload[] {
  const kinds = new Set(['Deployment', 'StatefulSet', 'Job']);
  return objects
    .filter(({ kind }) => kinds.has(kind))
    .map(({ kind, metadata, spec }) => {
      const { template } = spec as PodTemplate;
      const [container, ...more] = template.spec.containers;
      if (container === undefined || more.length > 0 || template.spec.initContainers) {
        throw new Error(`${kind} ${metadata.name} must have one container`);
      }
      const { labels } = template.metadata;
      const name = labels['app.kubernetes.io/name'] ?? '';
      return { kind, name, labels, pod: template.spec, container };
    });
}

interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  secrets?: string[];
  networks: string[];
  depends_on?: string[] | object;
  stop_grace_period?: string;
}

export interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
  secrets: Record<string, object>;
}

export async function readCompose(): Promise<Compose> {
  const text = await readFile(join(ROOT, 'docker-compose.yml'), 'utf8');
  const compose: Compose = parse(text, { merge: true });
  return compose;
}
