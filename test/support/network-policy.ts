/** Decides whether NetworkPolicies allow a connection, as the Kubernetes API defines it. */
import ipaddr from 'ipaddr.js';
import type { Resource } from './kube-api.ts';

export interface Party {
  ip: string;
  /** The pod. Null if the party is not a pod. */
  pod: { labels: Record<string, string>; namespace: string; namespaceLabels?: Record<string, string> } | null;
}
export interface Attempt {
  from: Party;
  to: Party;
  port: number;
  protocol?: 'TCP' | 'UDP';
}

function within(address: string, network: string): boolean {
  const one = ipaddr.parse(address);
  const [other, bits] = ipaddr.parseCIDR(network);
  return one.kind() === other.kind() && one.match([other, bits] as never);
}

function selects({ matchLabels = {}, matchExpressions = [] }: Resource, labels: Record<string, string>): boolean {
  if (matchExpressions.length > 0) throw new Error('matchExpressions are not known here');
  return Object.entries(matchLabels).every(([name, value]) => labels[name] === value);
}

function isPeer(peer: Resource, party: Party, policyNamespace: string): boolean {
  const { ipBlock, podSelector, namespaceSelector } = peer;
  if (ipBlock)
    return within(party.ip, ipBlock.cidr) && !(ipBlock.except ?? []).some((except: string) => within(party.ip, except));
  if (party.pod === null) return false;
  const { labels, namespace, namespaceLabels = {} } = party.pod;
  const inNamespace = namespaceSelector
    ? selects(namespaceSelector, { 'kubernetes.io/metadata.name': namespace, ...namespaceLabels })
    : namespace === policyNamespace;
  return inNamespace && (podSelector === undefined || selects(podSelector, labels));
}

/** Whether a rule matches. A rule without ports matches all ports, and one without peers matches all peers. */
function matches(rule: Resource, key: 'to' | 'from', party: Party, attempt: Attempt, namespace: string): boolean {
  const { ports = [] } = rule;
  const { port: wanted, protocol: kind = 'TCP' } = attempt;
  const hasPort =
    ports.length === 0 ||
    ports.some(({ port, endPort, protocol = 'TCP' }: Resource) => {
      if (typeof port === 'string' || endPort !== undefined)
        throw new Error('ports by name or range are not known here');
      return protocol === kind && (port === undefined || port === wanted);
    });
  const peers: Resource[] = rule[key] ?? [];
  return hasPort && (peers.length === 0 || peers.some((peer) => isPeer(peer, party, namespace)));
}

/** Whether a connection is allowed. If no policy applies to a pod in a direction, that direction is unrestricted. */
export function allows(policies: readonly Resource[], attempt: Attempt): boolean {
  return (['Egress', 'Ingress'] as const).every((type) => {
    const [subject, other] = type === 'Egress' ? [attempt.from, attempt.to] : [attempt.to, attempt.from];
    const { pod } = subject;
    if (pod === null) return true;
    const selecting = policies.filter(
      ({ metadata, spec }) =>
        metadata.namespace === pod.namespace &&
        spec.policyTypes.includes(type) &&
        selects(spec.podSelector, pod.labels),
    );
    const key = type === 'Egress' ? 'to' : 'from';
    return (
      selecting.length === 0 ||
      selecting.some(({ metadata, spec }) =>
        (spec[type.toLowerCase()] ?? []).some((rule: Resource) =>
          matches(rule, key, other, attempt, metadata.namespace),
        ),
      )
    );
  });
}
