import type { Compose, KubernetesObject, Workload } from './objects.ts';
import { workloadsOf } from './objects.ts';

/** Kubernetes waits so long for what a `preStop` hook does and for the process together. */
function graceNeeded({ container }: Workload, composeGrace = '10s'): number {
  return Number.parseInt(composeGrace, 10) + (container.lifecycle?.preStop?.sleep?.seconds ?? 0);
}

function podProblems(workload: Workload, compose: Compose): string[] {
  const { pod, container, kind, name } = workload;
  const service = compose.services[name];
  const security = { ...pod.securityContext, ...container.securityContext };
  const { requests = {}, limits = {} } = container.resources ?? {};
  const isServer = kind !== 'Job';
  const rules: [string, boolean][] = [
    ['runs as a user that is not root', security.runAsNonRoot === true && security.runAsUser !== 0],
    ['has a read-only file system', security.readOnlyRootFilesystem === true],
    ['has no capabilities', security.capabilities?.drop?.includes('ALL') === true],
    ['adds no capabilities', security.capabilities?.add === undefined],
    ['cannot gain privileges', security.allowPrivilegeEscalation === false],
    ['has the seccomp profile of the runtime', security.seccompProfile?.type === 'RuntimeDefault'],
    ['has no token of the Kubernetes API', pod.automountServiceAccountToken === false],
    ['requests CPU and memory', 'cpu' in requests && 'memory' in requests],
    ['has a limit of memory', 'memory' in limits],
    ['has a liveness probe', !isServer || container.livenessProbe !== undefined],
    ['has a readiness probe', !isServer || container.readinessProbe !== undefined],
    ['has the command of compose', kind === 'StatefulSet' || sameCommand(workload, compose)],
    ['has the image of compose', kind !== 'StatefulSet' || container.image === service?.image],
    [
      'has the time that it needs to stop',
      (pod.terminationGracePeriodSeconds ?? 30) >=
        graceNeeded(workload, service?.stop_grace_period),
    ],
    ['is spread', kind !== 'Deployment' || (pod.topologySpreadConstraints ?? []).length > 0],
  ];
  const ports = new Set((container.ports ?? []).map((port) => port.name));
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
    const port = container[probe]?.httpGet?.port;
    rules.push([`has the port of its ${probe}`, port === undefined || ports.has(String(port))]);
  }
  return rules.flatMap(([rule, holds]) => (holds ? [] : [`${kind} ${name}: not so: ${rule}`]));
}

function sameCommand({ name, container }: Workload, compose: Compose): boolean {
  const expected = compose.services[name]?.command;
  return expected !== undefined && expected.join(' ') === container.command?.join(' ');
}

/** What the schemas do not ask of a pod, and what compose says of it. */
export function podsProblems(objects: KubernetesObject[], compose: Compose): string[] {
  const workloads = workloadsOf(objects);
  const names = new Set(workloads.map(({ name }) => name));
  const outside = new Set(['gateway', 'mailpit', 'postgres', 'redis']);
  const missing = Object.keys(compose.services).filter(
    (name) => !outside.has(name) && !names.has(name),
  );
  return [
    ...missing.map((name) => `${name} of docker-compose.yml is missing`),
    ...workloads.flatMap((workload) => podProblems(workload, compose)),
  ];
}
