/**
 * The second stage for match updates. For each update from a live provider, it decides which provider leads the match from now
 * on, and which claims are stored.
 */
import type { Queryable } from '../../db/postgres.ts';
import type { EntityLookup } from '../../identity/entities.ts';
import { resolveMatchReferences } from '../../identity/index.ts';
import type { Precedence } from '../../identity/precedence.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import type { Resolved } from '../resolve/resolve-updates.ts';
import { uncorrected } from '../stored/correction-overlay.ts';
import type { StoredMatch } from '../stored/stored-match.ts';
import type { MatchApplyOptions } from '../update-outcomes.ts';
import { chooseLeader, type Lead, parseLead, recordUpdate } from './choose-leader.ts';
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

/** An update for which the match's leader is decided. */
export interface Led extends Resolved {
  /** The update as it was sent. */
  readonly sent: MatchUpdate;
  /** The update to merge: the sent one, or the whole claim of a provider that takes over the lead. */
  readonly update: MatchUpdate;
  /** When the provider observed each group and block, in ms. Present only if the times differ, as in a claim. */
  readonly times?: ReadonlyMap<string, number>;
  /** The match's lead from now on. Null for an update from a history source, which never leads. */
  readonly lead: Lead | null;
  /** New claims from providers that do not lead. */
  readonly claims: readonly ClaimRow[];
  /** Providers that lead now, so that their claims are deleted. */
  readonly settledClaims: readonly string[];
}

/** A match whose leader is not the update's provider. */
interface Contest {
  readonly match: StoredMatch;
  readonly lead: Lead;
}

/** Decides who leads each match that a live provider updates. In a takeover, the new leader's whole claim replaces the update. */
export async function leadUpdates(
  lookup: EntityLookup,
  updates: readonly Resolved[],
  options: MatchApplyOptions,
): Promise<Led[]> {
  const { client, precedence } = lookup;
  const planned = updates.map((resolved) => ({ resolved, ...planLead(precedence, resolved, options) }));
  const claims = await loadClaims(
    client,
    planned.flatMap(({ contest }) => (contest === null ? [] : [contest.match.id])),
  );
  const led: Led[] = [];
  for (const { resolved, lead, contest } of planned) {
    const uncontested: Led = { ...resolved, sent: resolved.update, lead, claims: [], settledClaims: [] };
    led.push(
      contest === null
        ? uncontested
        : await settleContest(
            client,
            precedence,
            uncontested,
            contest,
            claims.get(contest.match.id) ?? new Map(),
            options,
          ),
    );
  }
  return resolveTakeovers(lookup, led);
}

/** Returns the lead after an update, before it is compared with the claims. */
function planLead(
  { isLive }: Precedence,
  { before, update }: Resolved,
  { areClaims, now }: MatchApplyOptions,
): { lead: Lead | null; contest: Contest | null } {
  if (!isLive(update.provider)) return { lead: null, contest: null };
  const former = before && parseLead(before.provenance);
  // A stored claim does not show that the provider is still sending.
  const lead =
    former !== null && areClaims ? former : recordUpdate(former, update.provider, hasBegun(update.match), now);
  const isContested = before !== null && lead.provider !== update.provider;
  return { lead, contest: isContested ? { match: uncorrected(before), lead } : null };
}

/** Decides whether the update's provider, or a rival with a claim, takes over the lead of a match. */
async function settleContest(
  client: Queryable,
  precedence: Precedence,
  led: Led,
  { match, lead }: Contest,
  claims: ReadonlyMap<string, Claimed>,
  { now, areClaims }: MatchApplyOptions,
): Promise<Led> {
  const { provider } = led.sent;
  const stored: Claimed = claims.get(provider) ?? new Map();
  const given: Claimed = areClaims ? new Map() : claimedBy(led.sent, stored, now);
  const all = new Map(claims).set(provider, new Map([...stored, ...given]));
  const leader = chooseLeader(precedence, match, lead, rivalClaims(all, match, lead), now);
  const kept = claimRows(match, provider, given);
  if (leader === lead.provider) return { ...led, claims: kept };
  const whole = await loadClaim(client, match.id, leader);
  const claimed = leader === provider ? new Map([...whole, ...given]) : whole;
  const { receivedAt } = toClaim(leader, match.sport, claimed)!;
  return {
    ...led,
    ...claimUpdate(leader, claimed, lead.receivedAt),
    lead: { ...lead, provider: leader, receivedAt },
    settledClaims: [leader],
    claims: [...(leader === provider ? [] : kept), ...claimRows(match, lead.provider, leaderClaim(match, lead))],
  };
}

/** Resolves the references in claims that replace updates. */
async function resolveTakeovers(lookup: EntityLookup, led: readonly Led[]): Promise<Led[]> {
  const takeovers = led.filter(({ update, sent }) => update !== sent);
  if (takeovers.length === 0) return [...led];
  const resolved = (await resolveMatchReferences(lookup, takeovers)).values();
  return led.map((one) => (one.update === one.sent ? one : (resolved.next().value ?? one)));
}

/** Returns the parts that decide who leads, from the claims of the providers that do not lead. */
export function rivalClaims(claims: ReadonlyMap<string, Claimed>, { sport }: StoredMatch, lead: Lead): Claim[] {
  return [...claims].flatMap(([provider, claimed]) =>
    provider === lead.provider ? [] : (toClaim(provider, sport, claimed) ?? []),
  );
}

/** Returns a claim's rows. Empty for a final match, for which no claims are stored. */
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

/**
 * Returns the state and score that the leader last reported, to be stored as its claim. If the provider later takes the lead
 * again with an incomplete update, these values complete it.
 */
function leaderClaim({ status, home_score, away_score, provenance }: StoredMatch, lead: Lead): Claimed {
  const last = new Map<string, { observedAt: number; receivedAt: number; value: string }>();
  const add = (member: 'status' | 'score', value: unknown) => {
    const owner = provenance[member];
    if (owner?.provider !== lead.provider || owner.hidden !== undefined) return;
    const { observedAt } = owner;
    last.set(member, { observedAt, receivedAt: lead.receivedAt, value: JSON.stringify(value) });
  };
  add('status', status);
  add('score', home_score === null ? null : { home: home_score, away: away_score });
  return last;
}
