/**
 * Claims are reports from live providers that do not lead a match. They are stored member by member, so that a takeover loses no
 * value.
 */
import { prepared, type Queryable, texts } from '../../db/postgres.ts';
import { type MatchUpdate, matchUpdate } from '../../wire/feed-update.ts';
import { STATUS_DETAILS } from '../../wire/match.ts';
import { scoreOfIncidents } from '../stored/derived-score.ts';
import { belongs } from '../stored/match-state.ts';

type Match = MatchUpdate['match'];
type Score = { home: number; away: number };

/**
 * Key under which the members that every update repeats are stored together. Their time of receipt shows when the
 * provider was last heard from.
 */
const REFERENCES = 'references';
const REFERENCE_MEMBERS = ['id', 'sport', 'tournament', 'season', 'home', 'away'] as const;

const IS_REFERENCE: ReadonlySet<string> = new Set(REFERENCE_MEMBERS);

/** The part of a provider's claim that decides who leads. */
export interface Claim {
  provider: string;
  /** When the provider's last update was received, in ms by our clock. */
  receivedAt: number;
  status: NonNullable<Match['status']>;
  score: Score | null;
  /** When the claim's score was received, ms. */
  scoreReceivedAt: number;
}

export interface ClaimedMember {
  /** ms, by the provider's clock. */
  observedAt: number;
  /** ms, by our clock. */
  receivedAt: number;
  /** JSON. Null if not loaded. */
  value: string | null;
}
/** A provider's claim by member. */
export type Claimed = ReadonlyMap<string, ClaimedMember>;

export interface ClaimRow extends ClaimedMember {
  match_id: number;
  provider: string;
  member: string;
  value: string;
}

/** Loads the values of the members that decide who leads, and only the times of the rest. */
const LOAD = prepared(
  'load claims',
  `SELECT match_id, provider, member, observed_at AS "observedAt", received_at AS "receivedAt",
     CASE WHEN member IN ('status', 'status_detail', 'score') OR (member = 'incidents' AND NOT EXISTS (
       SELECT FROM match_claim s WHERE s.match_id = c.match_id AND s.provider = c.provider AND s.member = 'score' AND s.value <> 'null')) THEN value END AS value
   FROM match_claim c WHERE match_id = ANY ($1)`,
);

/** Returns each match's claims, by provider. */
export async function loadClaims(
  client: Queryable,
  matchIds: readonly number[],
): Promise<Map<number, Map<string, Map<string, ClaimedMember>>>> {
  const found = new Map<number, Map<string, Map<string, ClaimedMember>>>();
  if (matchIds.length === 0) return found;
  const { rows } = await client.query<ClaimedMember & { match_id: number; provider: string; member: string }>(
    LOAD([matchIds]),
  );
  for (const { match_id, provider, member, ...claimed } of rows) {
    const ofMatch = found.get(match_id) ?? new Map<string, Map<string, ClaimedMember>>();
    found.set(match_id, ofMatch);
    const ofProvider = ofMatch.get(provider) ?? new Map<string, ClaimedMember>();
    ofMatch.set(provider, ofProvider.set(member, claimed));
  }
  return found;
}

/** Returns the members in one provider's claim, with all values. */
export async function loadClaim(client: Queryable, matchId: number, provider: string): Promise<Claimed> {
  const { rows } = await client.query<ClaimedMember & { member: string }>(
    `SELECT member, observed_at AS "observedAt", received_at AS "receivedAt", value FROM match_claim
     WHERE match_id = $1 AND provider = $2`,
    [matchId, provider],
  );
  return new Map(rows.map(({ member, ...claimed }) => [member, claimed]));
}

const STORE = prepared(
  'store claims',
  `INSERT INTO match_claim (match_id, provider, member, observed_at, received_at, value)
   SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])
   ON CONFLICT (match_id, provider, member) DO UPDATE
   SET observed_at = excluded.observed_at, received_at = excluded.received_at, value = excluded.value`,
);

export async function storeClaims(client: Queryable, rows: readonly ClaimRow[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    STORE([
      rows.map((row) => row.match_id),
      rows.map((row) => row.provider),
      rows.map((row) => row.member),
      rows.map((row) => row.observedAt),
      rows.map((row) => row.receivedAt),
      texts(rows.map((row) => row.value)),
    ]),
  );
}

/** Deletes claims. @param provider null for all providers */
export async function deleteClaims(
  client: Queryable,
  claims: readonly { match_id: number; provider: string | null }[],
): Promise<void> {
  if (claims.length === 0) return;
  await client.query(
    `DELETE FROM match_claim c USING unnest($1::bigint[], $2::text[]) AS r (match_id, provider)
     WHERE c.match_id = r.match_id AND (r.provider IS NULL OR c.provider = r.provider)`,
    [claims.map(({ match_id }) => match_id), claims.map(({ provider }) => provider)],
  );
}

/** Returns the members of an update that are newer than the same members in the provider's claim. */
export function claimedBy(update: MatchUpdate, former: Claimed, receivedAt: number): Map<string, ClaimedMember> {
  const observedAt = Date.parse(update.observed_at);
  const { match } = update;
  const given = new Map<string, unknown>(
    Object.entries(match).filter(
      ([member, value]) => value !== undefined && member !== 'deleted' && !IS_REFERENCE.has(member),
    ),
  );
  const references = Object.fromEntries(REFERENCE_MEMBERS.map((member) => [member, match[member]]));
  const status = statusOf(match);
  // A repeated detail implies no status. Otherwise a match suspended to a later day would not stay scheduled.
  if (status !== undefined && JSON.stringify(match.status_detail) !== former.get('status_detail')?.value)
    given.set('status', status);
  const claimed = new Map<string, ClaimedMember>();
  for (const [member, value] of given)
    if (observedAt >= (former.get(member)?.observedAt ?? 0))
      claimed.set(member, { observedAt, receivedAt, value: JSON.stringify(value) });
  // Even a late update shows that the provider is still sending.
  claimed.set(REFERENCES, { observedAt, receivedAt, value: JSON.stringify(references) });
  return claimed;
}

/** Returns an update's status, stated or implied by the detail. */
export const statusOf = ({ status, status_detail }: Pick<Match, 'status' | 'status_detail'>): Match['status'] =>
  status ?? (status_detail && STATUS_DETAILS[status_detail].status);

/** True if the match has begun according to an update. Only a match that has begun has a score. */
export const hasBegun = (match: Pick<Match, 'status' | 'status_detail' | 'score'>): boolean => {
  const status = statusOf(match);
  return status === undefined ? !!match.score : status !== 'scheduled';
};

/** Returns the part of a claim that decides who leads. Null if the provider has not sent an update itself. */
export function toClaim(provider: string, sport: string, claimed: Claimed): Claim | null {
  const latest = claimed.get(REFERENCES);
  if (latest === undefined) return null;
  const parsed = <T>(member: string): T | null => JSON.parse(claimed.get(member)?.value ?? 'null');
  const stated = parsed<Score>('score');
  const incidents = stated === null ? parsed<NonNullable<Match['incidents']>>('incidents') : null;
  const score = stated ?? (incidents && scoreOfIncidents(sport, incidents));
  return {
    provider,
    receivedAt: latest.receivedAt,
    status: parsed<NonNullable<Match['status']>>('status') ?? (score ? 'live' : 'scheduled'),
    score,
    scoreReceivedAt: claimed.get(incidents === null ? 'score' : 'incidents')?.receivedAt ?? latest.receivedAt,
  };
}

/**
 * True if the incidents are as new as the score, or add up to it. Older incidents could cancel goals that are then reported
 * again.
 */
function fitScore({ sport, score, incidents }: Partial<Match>, claimed: Claimed): boolean {
  if (!sport || !score || !incidents || claimed.get('incidents')!.receivedAt >= claimed.get('score')!.receivedAt)
    return true;
  const { home, away } = scoreOfIncidents(sport, incidents) ?? { home: 0, away: 0 };
  return home === score.home && away === score.away;
}

/** Members that always come from the leader, even if its value is old. */
const LED_MEMBERS = ['status', 'status_detail', 'minute', 'score', 'period_scores', 'finalized', 'incidents'];

export interface ClaimUpdate {
  update: MatchUpdate;
  /** When the provider observed each field group and block, ms. */
  times: ReadonlyMap<string, number>;
}

/** Field groups whose name differs from the member's name. */
const GROUP_OF: Record<string, string> = { [REFERENCES]: 'sides', scheduled_start: 'start' };

/**
 * Returns a provider's claim as one update.
 * @param since ms, by our clock; members that arrived earlier are left out, because the former leader's values are newer;
 * state, score and incidents are always included
 */
export function claimUpdate(provider: string, claimed: Claimed, since: number): ClaimUpdate {
  const members = [...claimed].filter(
    ([member, { receivedAt }]) => member === REFERENCES || LED_MEMBERS.includes(member) || receivedAt > since,
  );
  const match: Partial<Match> = {};
  for (const [member, { value }] of members) {
    const parsed: unknown = JSON.parse(value!);
    Object.assign(match, member === REFERENCES ? parsed : { [member]: parsed });
  }
  const { status, status_detail } = match;
  // Drops a detail that belongs to an earlier status.
  if (status !== undefined && status_detail && !belongs(status_detail, status)) delete match.status_detail;
  if (status !== 'finished') delete match.finalized;
  if (!fitScore(match, claimed)) delete match.incidents;
  const times = new Map(members.map(([member, { observedAt }]) => [GROUP_OF[member] ?? member, observedAt]));
  const observed_at = new Date(Math.max(...times.values())).toISOString();
  return { update: matchUpdate.parse({ schema: 1, kind: 'match', provider, observed_at, match }), times };
}
