import { BlockList } from 'node:net';
import type {
  INetworkPolicyPeer,
  INetworkPolicySpec,
} from 'kubernetes-models/networking.k8s.io/v1';
import { type Compose, type KubernetesObject, type Labels, workloadsOf } from './objects.ts';

/** A pod of ours, or whatever else could speak to one: another pod of the cluster, an address. */
interface Peer {
  name: string;
  labels: Labels;
  namespace: Labels;
  address: string;
  ports: { name: string; port: number }[];
}

interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string }[];
}

const OURS = { 'kubernetes.io/metadata.name': 'atrium' };
const NOBODY = { 'kubernetes.io/metadata.name': 'elsewhere' };

const peer = (name: string, address: string, port = 0, namespace: Labels = NOBODY): Peer => {
  return { name, labels: {}, namespace, address, ports: [{ name, port }] };
};

function selects(selector: Selector | undefined, labels: Labels): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator }) => {
      if (operator !== 'Exists') throw new Error(`The check does not know ${operator}`);
      return key in labels;
    })
  );
}

function contains(cidr: string, address: string): boolean {
  const [network = '', bits] = cidr.split('/');
  // The addresses here are of IPv4; a list would also find them in ::/0.
  if (network.includes(':')) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits));
  return list.check(address);
}

function isPeer({ ipBlock, namespaceSelector, podSelector }: INetworkPolicyPeer, other: Peer) {
  if (ipBlock !== undefined) {
    const except = (ipBlock.except ?? []).some((cidr) => contains(cidr, other.address));
    return contains(ipBlock.cidr, other.address) && !except;
  }
  const inNamespace =
    namespaceSelector === undefined
      ? other.namespace === OURS
      : selects(namespaceSelector, other.namespace);
  return inNamespace && selects(podSelector, other.labels);
}

type Direction = 'Ingress' | 'Egress';

/** Whether the policies of `pod` let it speak to `other`, or be spoken to by it, at a port of the one that answers. */
function allows(
  policies: INetworkPolicySpec[],
  direction: Direction,
  [pod, other]: [Peer, Peer],
  port: Peer['ports'][number],
): boolean {
  if (pod.namespace !== OURS) return true;
  const about = policies.filter(
    ({ podSelector, policyTypes = [] }) =>
      policyTypes.includes(direction) && selects(podSelector, pod.labels),
  );
  const rules = about.flatMap(({ ingress = [], egress = [] }) =>
    direction === 'Ingress'
      ? ingress.map(({ from, ports }) => ({ peers: from, ports }))
      : egress.map(({ to, ports }) => ({ peers: to, ports })),
  );
  return (
    about.length === 0 ||
    rules.some(
      ({ peers, ports }) =>
        (peers === undefined || peers.some((one) => isPeer(one, other))) &&
        (ports === undefined ||
          ports.some((one) => one.port === port.port || one.port === port.name)),
    )
  );
}

/** Pairs that the policies connect and compose does not, or the other way round. */
export function networkProblems(objects: KubernetesObject[], compose: Compose): string[] {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  if (policies.length === 0) return [];
  const specs = policies.map(({ spec }) => spec as INetworkPolicySpec);
  const pods: Peer[] = workloadsOf(objects).map(({ name, labels, container }, index) => ({
    name,
    labels,
    namespace: OURS,
    address: `10.0.0.${index + 1}`,
    ports: (container.ports ?? []).map((port) => ({
      name: port.name ?? '',
      port: port.containerPort,
    })),
  }));
  const servers = [peer('postgres', '10.1.0.1', 5432), peer('redis', '10.1.0.2', 6379)];
  const external = servers.filter(({ name }) => pods.every((pod) => pod.name !== name));
  const gateway = specs[policies.findIndex(({ metadata }) => metadata.name === 'gateway')];
  const controllers = gateway?.ingress?.[0]?.from?.[0]?.namespaceSelector?.matchLabels;
  const others = [
    peer('internet', '203.0.113.1', 443),
    peer('gateway', '10.2.0.1', 0, controllers),
    peer('stranger', '10.2.0.2', 80),
  ];
  const all = [...pods, ...external, ...others];
  // Outside the cluster they call nobody.
  const callers = [...pods, ...others];

  const problems: string[] = [];
  for (const from of callers) {
    for (const to of all.filter(({ name }) => name !== from.name)) {
      if (from.namespace !== OURS && to.namespace !== OURS) continue;
      for (const port of to.ports) {
        const isAllowed =
          allows(specs, 'Egress', [from, to], port) && allows(specs, 'Ingress', [to, from], port);
        const isExpected = expects(compose, from.name, to.name, port.name);
        if (isAllowed !== isExpected) {
          const verb = isAllowed ? 'reaches' : 'does not reach';
          problems.push(`${from.name} ${verb} ${to.name} at ${port.name}, unlike with compose`);
        }
      }
    }
  }
  return problems;
}

function expects({ services, networks }: Compose, from: string, to: string, port: string): boolean {
  const networksOf = (name: string) => services[name]?.networks ?? [];
  if (from === 'gateway') {
    const led = services['gateway']?.depends_on;
    return Array.isArray(led) && led.includes(to) && port === 'http';
  }
  if (to === 'internet') return networksOf(from).some((name) => networks[name]?.internal !== true);
  return to !== 'gateway' && networksOf(from).some((name) => networksOf(to).includes(name));
}
