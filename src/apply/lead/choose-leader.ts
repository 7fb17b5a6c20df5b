/**
 * Decides which of several live providers leads a match. State, score and incidents come from the leader alone. If the newest
 * value from any provider counted, a match would go back and forth, because providers differ in speed. Pure. claims.ts stores
 * the reports of providers that do not lead; lead-updates.ts and takeovers.ts apply the decision.
 */
import type { Precedence } from '../../identity/precedence.ts';
import { SPORTS } from '../../sports/sports.ts';
import { MINUTE_MS } from '../../wire/time.ts';
import { FINAL_AFTER_MS, type MatchState } from '../stored/match-state.ts';
import { LEAD, type LeadOrder, type Provenance } from '../stored/provenance.ts';
import type { Claim } from './claims.ts';

export interface Lead extends LeadOrder {
  provider: string;
  /** When the leader's last update was received, in ms by our clock. May be up to RECEIPT_STEP_MS too early. */
  receivedAt: number;
}

/**
 * A repeated update shows that the leader is still sending. The update's time is written only if the stored time is
 * older than this.
 */
const RECEIPT_STEP_MS = 15_000;

export function parseLead(provenance: Provenance): Lead | null {
  const entry = provenance[LEAD];
  return entry?.order ? { provider: entry.provider, receivedAt: entry.observedAt, ...entry.order } : null;
}

/** Returns `provenance` with `lead`, or unchanged if the same lead was recorded only a moment ago. */
export function withLead(provenance: Provenance, lead: Lead): Provenance {
  const stored = parseLead(provenance);
  const isSame =
    stored !== null &&
    stored.provider === lead.provider &&
    lead.receivedAt - stored.receivedAt < RECEIPT_STEP_MS &&
    stored.begun.length === lead.begun.length &&
    stored.waiting.length === lead.waiting.length;
  if (isSame) return provenance;
  const { provider, receivedAt, begun, waiting } = lead;
  return { ...provenance, [LEAD]: { provider, observedAt: receivedAt, order: { begun, waiting } } };
}

/**
 * Returns the lead after `provider` has sent an update.
 * @param reportsBegun whether the match has begun according to the update
 */
export function recordUpdate(lead: Lead | null, provider: string, reportsBegun: boolean, receivedAt: number): Lead {
  const { begun, waiting }: LeadOrder = lead ?? { begun: [], waiting: [] };
  const hasBegun = begun.includes(provider);
  const begins = !hasBegun && reportsBegun;
  return {
    provider: lead?.provider ?? provider,
    receivedAt: lead === null || lead.provider === provider ? receivedAt : lead.receivedAt,
    begun: begins ? [...begun, provider] : begun,
    waiting: begins
      ? waiting.filter((name) => name !== provider)
      : hasBegun || waiting.includes(provider)
        ? waiting
        : [...waiting, provider],
  };
}

const TAKEOVER_MS = new Map(SPORTS.map(({ slug, takeoverMinutes }) => [slug, takeoverMinutes * MINUTE_MS]));
/** The shortest time after which any match may change its leader. */
export const MIN_TAKEOVER_MS = Math.min(...TAKEOVER_MS.values());

/**
 * Returns the time without an update after which a provider counts as silent, in ms. After the end of the match, a provider
 * has nothing to report, so the limit is the time until the match becomes final.
 */
const silenceMs = ({ sport }: Pick<MatchState, 'sport'>, status: MatchState['status']): number =>
  status === 'finished' ? FINAL_AFTER_MS : TAKEOVER_MS.get(sport)!;

export type LedMatch = Pick<MatchState, 'sport' | 'status' | 'home_score' | 'away_score'>;

const PHASES = ['scheduled', 'live', 'finished'];

/** True if the leader's last update is old enough for a rival to lead. */
export const isSilent = ({ receivedAt }: Lead, match: Pick<MatchState, 'sport' | 'status'>, now: number): boolean =>
  now - receivedAt > silenceMs(match, match.status);

/**
 * Returns the provider that leads from now on. This is the best candidate. A candidate is not silent, and its state and score
 * are not behind the match's. If any provider has reported the start, a candidate must have reported it too. If there is no
 * candidate, the present leader stays.
 */
export function chooseLeader(
  { rankOf }: Precedence,
  match: LedMatch,
  lead: Lead,
  claims: readonly Claim[],
  now: number,
): string {
  const { provider: leader, begun, waiting } = lead;
  const limit = silenceMs(match, match.status);
  const isBehind = ({ status, score, scoreReceivedAt }: Claim): boolean => {
    if (status !== match.status) return PHASES.indexOf(status) < PHASES.indexOf(match.status);
    const isLower = total(score?.home, score?.away) < total(match.home_score, match.away_score);
    // A lower score that arrives after such a long silence is a correction.
    return isLower && scoreReceivedAt - lead.receivedAt <= limit;
  };
  const candidates = claims
    .filter((claim) => now - claim.receivedAt <= silenceMs(match, claim.status) && !isBehind(claim))
    .map(({ provider }) => provider);
  if (!isSilent(lead, match, now)) candidates.push(leader);
  const place = (provider: string): number[] => [
    rankOf(provider, 'state'),
    begun.includes(provider) ? begun.indexOf(provider) : begun.length,
    provider === leader ? 0 : 1,
    waiting.indexOf(provider),
  ];
  const [best = leader] = candidates
    .filter((provider) => begun.length === 0 || begun.includes(provider))
    .sort((a, b) => comparePlaces(place(a), place(b)));
  return best;
}

const total = (home: number | null | undefined, away: number | null | undefined) => (home ?? 0) + (away ?? 0);

/** Compares two lists of places by the first place that differs. */
export function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (const [index, place] of a.entries()) {
    const other = b[index] ?? place;
    if (place !== other) return place - other;
  }
  return 0;
}

/**
 * The leader's rank for state and incidents. It is the same for both, because state and incidents must agree. An order in
 * PRECEDENCE_FILE could change only the rank for incidents.
 */
const LEADER_RANK = Number.MIN_SAFE_INTEGER;

/**
 * Returns the source precedence within one match. The leader is the best source for state, score and incidents. No two live
 * providers have the same rank for a value, otherwise the value would alternate.
 */
export function ledBy(precedence: Precedence, lead: Lead | null): Precedence {
  if (lead === null) return precedence;
  const { provider: leader, begun, waiting } = lead;
  const order = [leader, ...[...begun, ...waiting].filter((name) => name !== leader)];
  if (order.length === 1) return precedence;
  const isOrdered = precedence.ordersLive('incidents');
  return {
    ...precedence,
    rankOf(provider, block) {
      if (provider === leader && (block === 'state' || (block === 'incidents' && !isOrdered))) return LEADER_RANK;
      const place = order.indexOf(provider);
      // Ranks are integers, so the fraction orders only providers with equal ranks.
      return precedence.rankOf(provider, block) - (place === -1 ? 0 : 1 / (place + 2));
    },
  };
}
