/** Decides, for each update of a live provider, which provider leads its match from now on, and which claims are kept. */
import type { Queryable } from '../../db/postgres.ts';
import type { EntityLookup } from '../../identity/entities.ts';
import type { Precedence } from '../../identity/precedence.ts';
import type { MatchApplyOptions } from '../interface.ts';
import type { UpdateChange } from '../merge/match-change.ts';
import { uncorrected } from '../stored/correction-overlay.ts';
import type { StoredMatch } from '../stored/stored-match.ts';
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
import { chooseLeader, type Lead, parseLead, recordUpdate } from './lead.ts';

interface Contest {
  change: UpdateChange;
  match: StoredMatch;
  lead: Lead;
}

/** Sets the lead of each match that a live provider updates. A takeover replaces the update by the new leader's whole claim. */
export async function planLeads(
  { client, precedence }: EntityLookup,
  changes: readonly UpdateChange[],
  options: MatchApplyOptions,
): Promise<void> {
  const contests: Contest[] = [];
  for (const change of changes) {
    const { before, sent } = change;
    if (!precedence.isLive(sent.provider)) continue;
    const former = before && parseLead(before.provenance);
    // A stored claim is no sign of life.
    const lead =
      former !== null && options.areClaims
        ? former
        : recordUpdate(former, sent.provider, hasBegun(sent.match), options.now);
    change.lead = lead;
    if (before !== null && lead.provider !== sent.provider) contests.push({ change, match: uncorrected(before), lead });
  }
  const claims = await loadClaims(
    client,
    contests.map(({ match }) => match.id),
  );
  for (const contest of contests)
    await settleContest(client, precedence, contest, claims.get(contest.match.id) ?? new Map(), options);
}

/** Decides whether the provider of an update, or another provider with a claim, takes over the lead of a match. */
async function settleContest(
  client: Queryable,
  precedence: Precedence,
  { change, match, lead }: Contest,
  claims: ReadonlyMap<string, Claimed>,
  { now, areClaims }: MatchApplyOptions,
): Promise<void> {
  const { provider } = change.sent;
  const stored: Claimed = claims.get(provider) ?? new Map();
  const given: Claimed = areClaims ? new Map() : claimedBy(change.sent, stored, now);
  const all = new Map(claims).set(provider, new Map([...stored, ...given]));
  const leader = chooseLeader(precedence, match, lead, rivalClaims(all, match, lead), now);
  const kept = claimRows(match, provider, given);
  if (leader === lead.provider) {
    change.claims = kept;
    return;
  }
  const whole = await loadClaim(client, match.id, leader);
  const claimed = leader === provider ? new Map([...whole, ...given]) : whole;
  const { receivedAt } = toClaim(leader, match.sport, claimed)!;
  change.lead = { ...lead, provider: leader, receivedAt };
  Object.assign(change, claimUpdate(leader, claimed, lead.receivedAt));
  change.settledClaims = [leader];
  change.claims = [...(leader === provider ? [] : kept), ...claimRows(match, lead.provider, leaderClaim(match, lead))];
}

/** Returns the claims that decide who leads, of each provider but the leader. */
export function rivalClaims(claims: ReadonlyMap<string, Claimed>, { sport }: StoredMatch, lead: Lead): Claim[] {
  return [...claims].flatMap(([provider, claimed]) =>
    provider === lead.provider ? [] : (toClaim(provider, sport, claimed) ?? []),
  );
}

/** Returns the rows of a claim; none for a final match, whose claims are not kept. */
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

/** Returns state and score as the leader last reported them: they stay its own values if it returns with a part of the match. */
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
