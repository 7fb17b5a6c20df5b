/** Decides, for each update of a live provider, which provider leads its match from now on, and what is to be kept of the others. */
import type { EntitySession } from '../identity/entities.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import {
  type Claim,
  type Claimed,
  type ClaimRow,
  claimedBy,
  claimUpdate,
  hasBegun,
  loadClaim,
  loadClaims,
  toClaim,
} from './claims.ts';
import { chooseLeader, type Lead, type LeadPlan, parseLead, recordUpdate } from './lead.ts';
import type { MatchApplyOptions, Prepared } from './match-plan.ts';
import type { StoredMatch } from './store.ts';

interface Contested {
  position: number;
  update: MatchUpdate;
  match: StoredMatch;
  lead: Lead;
}

/** @param stored the matches that exist, locked, by position; no plan for updates of history */
export async function planLeads(
  session: EntitySession,
  prepared: readonly Prepared[],
  stored: ReadonlyMap<number, StoredMatch>,
  options: MatchApplyOptions,
): Promise<Map<number, LeadPlan>> {
  const plans = new Map<number, LeadPlan>();
  const contested: Contested[] = [];
  for (const [position, { update }] of prepared.entries()) {
    const { provider, match: given } = update;
    if (!session.precedence.isLive(provider)) continue;
    const match = stored.get(position);
    const former = match === undefined ? null : parseLead(match.provenance);
    // A stored claim is no sign of life.
    const lead =
      former !== null && options.areClaims ? former : recordUpdate(former, provider, hasBegun(given), options.now);
    if (match === undefined || lead.provider === provider) plans.set(position, { lead, takeover: null, claims: [] });
    else contested.push({ position, update, match, lead });
  }
  const claims = await loadClaims(
    session.client,
    contested.map(({ match }) => match.id),
  );
  for (const one of contested)
    plans.set(one.position, await planLead(session, one, claims.get(one.match.id) ?? new Map(), options));
  return plans;
}

async function planLead(
  { client, precedence }: EntitySession,
  { update, match, lead }: Contested,
  claims: ReadonlyMap<string, Claimed>,
  { now, areClaims }: MatchApplyOptions,
): Promise<LeadPlan> {
  const { provider } = update;
  const stored: Claimed = claims.get(provider) ?? new Map();
  const given: Claimed = areClaims ? new Map() : claimedBy(update, stored, now);
  const all = new Map(claims).set(provider, new Map([...stored, ...given]));
  const leader = chooseLeader(precedence, match, lead, rivalClaims(all, match, lead), now);
  const kept = claimRows(match, provider, given);
  if (leader === lead.provider) return { lead, takeover: null, claims: kept };
  const whole = await loadClaim(client, match.id, leader);
  const claimed = leader === provider ? new Map([...whole, ...given]) : whole;
  const { receivedAt } = toClaim(leader, match.sport, claimed)!;
  return {
    lead: { ...lead, provider: leader, receivedAt },
    takeover: claimUpdate(leader, claimed, lead.receivedAt),
    claims: [...(leader === provider ? [] : kept), ...claimRows(match, lead.provider, leaderClaim(match, lead))],
  };
}

/** What decides who leads, of each provider but the leader. */
export function rivalClaims(claims: ReadonlyMap<string, Claimed>, { sport }: StoredMatch, lead: Lead): Claim[] {
  return [...claims].flatMap(([provider, claimed]) =>
    provider === lead.provider ? [] : (toClaim(provider, sport, claimed) ?? []),
  );
}

/** None of a match that is final: nothing is kept of it. */
const claimRows = ({ id, finalized }: StoredMatch, provider: string, claimed: Claimed): ClaimRow[] =>
  finalized
    ? []
    : [...claimed].map(([member, { value, ...times }]) => ({
        match_id: id,
        provider,
        member,
        value: value!,
        ...times,
      }));

/** State and score as the leader last reported them: if it returns with a part of the match, they are its own. */
function leaderClaim({ status, home_score, away_score, provenance }: StoredMatch, lead: Lead): Claimed {
  const last = new Map<string, { observedAt: number; receivedAt: number; value: string }>();
  const add = (member: 'status' | 'score', value: unknown) => {
    const [owner, observedAt, hidden] = provenance[member] ?? [];
    if (owner === lead.provider && hidden === undefined)
      last.set(member, { observedAt: observedAt!, receivedAt: lead.receivedAt, value: JSON.stringify(value) });
  };
  add('status', status);
  add('score', home_score === null ? null : { home: home_score, away: away_score });
  return last;
}
