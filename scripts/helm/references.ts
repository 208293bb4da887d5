import {
  type Compose,
  type KubernetesObject,
  type Labels,
  type Workload,
  workloadsOf,
} from './objects.ts';
import type { IServiceSpec } from 'kubernetes-models/v1';

/** The Secrets that values name: the files of compose are in the first. */
export interface ExistingSecrets {
  files: string;
  others: Set<string>;
}

interface Found {
  workloads: Workload[];
  services: Map<string, IServiceSpec>;
  names: Set<string>;
}

const portOf = ({ container }: Workload, name: unknown) =>
  (container.ports ?? []).find((port) => port.name === name)?.containerPort;

const selects = (selector: Labels, { labels }: Workload) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

function serviceProblems(name: string, spec: IServiceSpec, { workloads }: Found): string[] {
  const selected = workloads.filter((workload) => selects(spec.selector ?? {}, workload));
  const [workload] = selected;
  if (workload === undefined || selected.length > 1) {
    return [`Service ${name} selects ${selected.length} kinds of pods`];
  }
  return (spec.ports ?? [])
    .filter(({ port, targetPort }) => portOf(workload, targetPort) !== port)
    .map(({ port, targetPort }) => `Service ${name}: no pod has ${targetPort} at port ${port}`);
}

/** Addresses in variables that lead to a Service of the chart: those without a domain. */
function addressProblems({ name, container }: Workload, { services }: Found): string[] {
  return (container.env ?? []).flatMap(({ name: variable, value = '' }) => {
    const [, host = '', port] = /^http:\/\/([a-z-]+):(\d+)$/.exec(value) ?? [];
    if (host === '' || host === 'localhost') return [];
    const ports = services.get(host)?.ports ?? [];
    const isThere = ports.some((of) => of.port === Number(port) && of.name === 'http');
    return isThere ? [] : [`${name}: no Service is at ${value}, which ${variable} says`];
  });
}

function volumeProblems(
  { name, kind, pod }: Workload,
  { names }: Found,
  compose: Compose,
  secrets: ExistingSecrets,
): string[] {
  const problems: string[] = [];
  const mounted: string[] = [];
  const mount = (secret = '', keys: string[] = []) => {
    if (secret === secrets.files) mounted.push(...keys);
    else if (!secrets.others.has(secret)) problems.push(`${name}: no value names Secret ${secret}`);
  };
  for (const { persistentVolumeClaim, configMap, secret, projected } of pod.volumes ?? []) {
    const claim =
      persistentVolumeClaim && `PersistentVolumeClaim ${persistentVolumeClaim.claimName}`;
    const map = configMap && `ConfigMap ${configMap.name}`;
    for (const made of [claim, map]) {
      if (made !== undefined && !names.has(made)) problems.push(`${name}: nothing makes ${made}`);
    }
    if (secret)
      mount(
        secret.secretName,
        secret.items?.map(({ key }) => key),
      );
    for (const source of projected?.sources ?? []) {
      mount(
        source.secret?.name,
        source.secret?.items?.map(({ key }) => key),
      );
    }
  }
  // With compose there is no standby.
  const allowed = new Set(
    compose.services[name]?.secrets?.flatMap((key) => [
      key,
      key.replace('_database_url', '_database_read_url'),
    ]),
  );
  const tooMany = mounted.filter((key) => !allowed.has(key));
  problems.push(
    ...tooMany.map((key) => `${kind} ${name} gets ${key}, and with compose it does not`),
  );
  return problems;
}

/** What other objects name: `field` of their text is the name of a Service or Deployment. */
function namedProblems(object: KubernetesObject, { names }: Found): string[] {
  const json = JSON.stringify(object.spec ?? {});
  const patterns: Record<string, [RegExp, string]> = {
    Ingress: [/"service":\{"name":"([^"]+)"/g, 'Service'],
    HTTPRoute: [/"backendRefs":\[\{"name":"([^"]+)"/g, 'Service'],
    HorizontalPodAutoscaler: [/"kind":"Deployment","name":"([^"]+)"/g, 'Deployment'],
    ScaledObject: [/"scaleTargetRef":\{"name":"([^"]+)"/g, 'Deployment'],
    PodDisruptionBudget: [/"app.kubernetes.io\/name":"([^"]+)"/g, 'Deployment'],
    ServiceMonitor: [/"app.kubernetes.io\/name":"([^"]+)"/g, 'Service'],
  };
  const [pattern, kind] = patterns[object.kind] ?? [];
  if (pattern === undefined) return [];
  const named = Array.from(json.matchAll(pattern), ([, name]) => `${kind} ${name}`);
  const title = `${object.kind} ${object.metadata.name}`;
  if (named.length === 0) return [`${title} names no ${kind}`];
  return named.filter((name) => !names.has(name)).map((name) => `${title}: there is no ${name}`);
}

/** Names, ports and keys that lead nowhere. */
export function referenceProblems(
  objects: KubernetesObject[],
  compose: Compose,
  secrets: ExistingSecrets,
): string[] {
  const services = objects.filter(({ kind }) => kind === 'Service');
  const found: Found = {
    workloads: workloadsOf(objects),
    services: new Map(services.map(({ metadata, spec }) => [metadata.name, spec as IServiceSpec])),
    names: new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)),
  };
  const doubles = objects.length - found.names.size;
  return [
    ...(doubles > 0 ? [`${doubles} objects have the names of others`] : []),
    ...Array.from(found.services, ([name, spec]) => serviceProblems(name, spec, found)).flat(),
    ...found.workloads.flatMap((workload) => addressProblems(workload, found)),
    ...found.workloads.flatMap((workload) => volumeProblems(workload, found, compose, secrets)),
    ...objects.flatMap((object) => namedProblems(object, found)),
  ];
}
