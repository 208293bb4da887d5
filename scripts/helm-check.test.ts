import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { problemsOf, readGiven } from './helm-check.ts';
import { CHART, findHelm, render } from './helm/helm.ts';
import { type KubernetesObject, readCompose, workloadsOf } from './helm/objects.ts';
import { unknownFields } from './helm/schemas.ts';

const VALUES = join(CHART, 'ci', 'try-out.yaml');

let helm: string;
let rendered: string;
beforeAll(async () => {
  helm = await findHelm(process.env);
  rendered = JSON.stringify(await render(helm, VALUES));
});

function parsed(text: string): KubernetesObject[] {
  return JSON.parse(text);
}

async function problemsIn(text: string): Promise<string> {
  const given = await readGiven(VALUES);
  return (await problemsOf(parsed(text), await readCompose(), given)).join('\n');
}

test('a chart without faults has no problems', async () => {
  expect(await problemsIn(rendered)).toBe('');
});

test('tried out, volumes need no storage for many nodes, and auth is the pod that has the emails', async () => {
  const objects = parsed(rendered);
  const specOf = (kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === name)?.spec;
  expect(specOf('PersistentVolumeClaim', 'files')).toMatchObject({
    accessModes: ['ReadWriteOnce'],
  });
  expect(specOf('Deployment', 'auth')).toMatchObject({ replicas: 1 });
});

test('pods that have been ready get requests while Redis is away, and none is killed at its start', async () => {
  const probesOf = (name: string) => {
    const workload = workloadsOf(parsed(rendered)).find((each) => each.name === name);
    const { startupProbe, readinessProbe } = workload?.container ?? {};
    return { startupProbe, readinessProbe };
  };
  expect(probesOf('auth')).toMatchObject({
    startupProbe: { httpGet: { path: '/readyz' }, periodSeconds: 2, failureThreshold: 1800 },
    readinessProbe: { httpGet: { path: '/livez' } },
  });
  // Nobody sends requests to a worker: its readiness says whether it works.
  expect(probesOf('worker')).toMatchObject({
    startupProbe: { httpGet: { path: '/livez' } },
    readinessProbe: { httpGet: { path: '/readyz' } },
  });
});

test('auth is not scaled while its only pod has the emails', async () => {
  const objects = await render(helm, VALUES, ['autoscaling.enabled=true']);
  const of = (kind: string) => objects.filter((object) => object.kind === kind);
  const scaled = of('HorizontalPodAutoscaler').map(({ metadata }) => metadata.name);
  expect(scaled).toContain('notes');
  expect(scaled).not.toContain('auth');
  const auth = of('Deployment').find(({ metadata }) => metadata.name === 'auth');
  expect(auth?.spec).toMatchObject({ replicas: 1 });
});

test('what the services ask auth for leads to web, which has no such page, under the name of auth', async () => {
  const ingress = (await render(helm, join(CHART, 'ci', 'default.yaml'))).find(
    ({ kind }) => kind === 'Ingress',
  );
  for (const path of ['/internal/revoked-sessions', '/internal/access-tokens']) {
    const backend = { service: { name: 'web', port: { name: 'http' } } };
    expect(JSON.stringify(ingress)).toContain(JSON.stringify({ path, pathType: 'Exact', backend }));
  }
});

test('with Compose, whatever has a database reaches one on another server', async () => {
  const { services, networks } = await readCompose();
  const having = Object.entries(services).filter(
    ([, { environment = {} }]) => 'DATABASE_URL_FILE' in environment,
  );
  const closed = having.filter(([, service]) =>
    service.networks.every((name) => networks[name]?.internal === true),
  );
  expect(having.map(([name]) => name)).toContain('migrate-auth');
  expect(closed.map(([name]) => name)).toEqual([]);
});

test('a host has no capitals, which Kubernetes refuses and no browser sends', async () => {
  const settings = ['ingress.enabled=true', 'addresses.web=https://App.Example.com'];
  const objects = await render(helm, join(CHART, 'ci', 'default.yaml'), settings);
  const ingress = JSON.stringify(objects.find(({ kind }) => kind === 'Ingress'));
  expect(ingress).toContain('"host":"app.example.com"');
  expect(ingress).not.toContain('App.Example.com');
  const deployments = JSON.stringify(objects.filter(({ kind }) => kind === 'Deployment'));
  expect(deployments).toContain('{"name":"CORS_ORIGINS","value":"https://app.example.com"}');
});

/** What is wrong, the text of it that is replaced and by what, and what the check says. */
const FAULTS: [string, string, string, string][] = [
  ['a port that is a text', '"containerPort":4001', '"containerPort":"4001"', 'must be integer'],
  ['a group without schemas', 'policy/v1', 'policy/v9', 'no schema of policy/v9'],
  ['root', '"runAsNonRoot":true', '"runAsNonRoot":false', 'as a user that is not root'],
  ['a file system to write to', '"readOnlyRootFilesystem":true,', '', 'a read-only file system'],
  ['capabilities', '"drop":["ALL"]', '"drop":[]', 'auth: not so: has no capabilities'],
  ['no limit of memory', '"limits":{"memory":"512Mi"}', '"limits":{}', 'has a limit of memory'],
  ['too little memory', '"memory":"512Mi"', '"memory":"200Mi"', 'too little for a heap of 160 MB'],
  ['no probe', '"livenessProbe"', '"x"', 'has a liveness probe'],
  ['a probe of no port', '/readyz","port":"http"', '/readyz","port":"web"', 'of its startupProbe'],
  ['another command', 'auth/src/main.ts', 'auth/src/worker.ts', 'has the command of compose'],
  ['another image', '"redis:7.2.11', '"redis:7.2.10', 'redis: not so: has the image of compose'],
  ['too little time to stop', 'PeriodSeconds":35', 'PeriodSeconds":30', 'time that it needs'],
  ['no spread', '"topologySpreadConstraints"', '"x"', 'is spread'],
  [
    'a Service of no pod',
    '"selector":{"app.kubernetes.io/name":"auth"',
    '"selector":{"app.kubernetes.io/name":"x"',
    'Service auth selects 0',
  ],
  ['a Service at another port', '"port":4001,', '"port":4000,', 'no pod has http at port 4000'],
  ['an address of no Service', 'notes-worker:4006', 'notes-worker:4007', 'no Service is at http'],
  ['a Secret that no value names', 'secretName":"atrium"', 'secretName":"x"', 'names Secret x'],
  [
    'another secret',
    '"notes_database_url","path":"d',
    '"cron_secret","path":"d',
    'gets cron_secret',
  ],
  ['a volume that nothing makes', '"claimName":"files"', '"claimName":"x"', 'VolumeClaim x'],
  ['a variable that nothing reads', '"WEB_URL"', '"WEB_ADDRESS"', 'nothing reads WEB_ADDRESS'],
  ['a variable too few', '"METRICS_PORT"', '"TRUST_PROXY"', 'METRICS_PORT is missing'],
  ['a wrong value', '"value":"info"', '"value":"loud"', 'auth does not start: LOG_LEVEL'],
  ['another value', '"value":"0.5"', '"value":"0"', 'OTEL_TRACES_SAMPLER_ARG is not 0.5'],
  ['a wrong port', '"value":"4101"', '"value":"4199"', 'METRICS_PORT is not 4101'],
  [
    'a network too many',
    '"atrium/public":"web"',
    '"atrium/network-data":"member"',
    'web reaches postgres at postgres',
  ],
  [
    'a network too few',
    '"atrium/network-services":"member","atrium/network-data":"member","atrium/public":"auth"',
    '"atrium/public":"auth"',
    'auth does not reach postgres',
  ],
  ['private networks', '"except":["10.0.0.0/8",', '"except":[', 'auth reaches stranger'],
];

test.each(FAULTS)('finds %s', async (_fault, from, to, problem) => {
  expect(rendered).toContain(from);
  expect(await problemsIn(rendered.replace(from, to))).toContain(problem);
});

test('finds a field that is misspelt', async () => {
  const text = rendered.replace('"readinessProbe"', '"readynessProbe"');
  expect((await unknownFields(parsed(text))).join()).toContain(
    '\'"readynessProbe"\' does not exist',
  );
});

test.each([
  ['a number of replicas', 'services.auth.replicas=0', 'minimum: got 0, want 1'],
  ['a variable', 'env.SMTP_PORT=25', 'SMTP_PORT, which no process reads'],
  ['no mail server', 'tryOut.enabled=false', 'auth sends emails'],
  ['/go behind an Ingress', 'ingress.enabled=true', 'An Ingress cannot take /go off a path'],
  [
    'short links at the name of web without /go',
    'ingress.enabled=true,addresses.links=https://example.com,addresses.web=https://Example.com',
    'addresses.links has the name of web: it must end with /go',
  ],
  [
    'fewer replicas at most than at least',
    'autoscaling.enabled=true,services.notes.replicas=10',
    'services.notes.maxReplicas is less than replicas',
  ],
  [
    'fewer workers at most than at least',
    'keda.enabled=true,services.worker.replicas=10',
    'services.worker.maxReplicas is less than replicas',
  ],
])('the chart refuses %s', async (_value, setting, message) => {
  await expect(render(helm, VALUES, [setting])).rejects.toThrow(message);
});
