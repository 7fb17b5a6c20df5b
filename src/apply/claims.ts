/** What live providers that do not lead a match have reported of it: stored member by member, so that a takeover loses nothing. */
import { prepared, type Queryable, texts } from '../db/postgres.ts';
import { type MatchUpdate, matchUpdate } from '../wire/feed-update.ts';
import { STATUS_DETAILS } from '../wire/match.ts';
import { scoreOfIncidents } from './incident-score.ts';
import { belongs } from './match-status.ts';

type Match = MatchUpdate['match'];
type Score = { home: number; away: number };

/** What every update repeats, stored as one member: when it was last received is when its provider was last heard of. */
const REFERENCES = 'references';
const REFERENCE_MEMBERS = ['id', 'sport', 'tournament', 'season', 'home', 'away'] as const;

/** What of a provider's claim decides who leads. */
export interface Claim {
  provider: string;
  /** When we last received an update of its, in ms by our clock. */
  receivedAt: number;
  status: NonNullable<Match['status']>;
  score: Score | null;
  /** When we received that score, ms. */
  scoreReceivedAt: number;
}

export interface ClaimedMember {
  /** ms, by the provider's clock. */
  observedAt: number;
  /** ms, by ours. */
  receivedAt: number;
  /** JSON; null: not loaded. */
  value: string | null;
}
/** The members of a provider's claim. */
export type Claimed = ReadonlyMap<string, ClaimedMember>;

export interface ClaimRow extends ClaimedMember {
  match_id: number;
  provider: string;
  member: string;
  value: string;
}

/** The values that decide who leads: of most members only the times are loaded. */
const LOAD = prepared(
  'load claims',
  `SELECT match_id, provider, member, observed_at AS "observedAt", received_at AS "receivedAt",
     CASE WHEN member IN ('status', 'status_detail', 'score') OR (member = 'incidents' AND NOT EXISTS (
       SELECT FROM match_claim s WHERE s.match_id = c.match_id AND s.provider = c.provider AND s.member = 'score' AND s.value <> 'null')) THEN value END AS value
   FROM match_claim c WHERE match_id = ANY ($1)`,
);

/** The claims of each match, by provider. */
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

/** The members of one provider's claim, with all values. */
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

/** @param provider null: of every provider */
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

/** The members that an update gives, as far as the provider has given none that is newer. */
export function claimedBy(update: MatchUpdate, former: Claimed, receivedAt: number): Map<string, ClaimedMember> {
  const observedAt = Date.parse(update.observed_at);
  const { match } = update;
  const given = new Map<string, unknown>(
    Object.entries(match).filter(
      ([member, value]) =>
        value !== undefined && member !== 'deleted' && !(REFERENCE_MEMBERS as readonly string[]).includes(member),
    ),
  );
  const references = Object.fromEntries(REFERENCE_MEMBERS.map((member) => [member, match[member]]));
  const status = statusOf(match);
  // A repeated detail does not say more of the status: a match suspended to another day stays scheduled.
  if (status !== undefined && JSON.stringify(match.status_detail) !== former.get('status_detail')?.value)
    given.set('status', status);
  const claimed = new Map<string, ClaimedMember>();
  for (const [member, value] of given)
    if (observedAt >= (former.get(member)?.observedAt ?? 0))
      claimed.set(member, { observedAt, receivedAt, value: JSON.stringify(value) });
  // Also a late update is a sign of life.
  claimed.set(REFERENCES, { observedAt, receivedAt, value: JSON.stringify(references) });
  return claimed;
}

/** The status that an update gives, or that follows from its detail. */
export const statusOf = ({ status, status_detail }: Pick<Match, 'status' | 'status_detail'>): Match['status'] =>
  status ?? (status_detail && STATUS_DETAILS[status_detail].status);

/** Whether an update says that the match has begun: only then it has a score. */
export const hasBegun = (match: Pick<Match, 'status' | 'status_detail' | 'score'>): boolean => {
  const status = statusOf(match);
  return status === undefined ? !!match.score : status !== 'scheduled';
};

/** What decides who leads; null where nothing was received of the provider itself. */
export function toClaim(provider: string, sport: string, claimed: Claimed): Claim | null {
  const heard = claimed.get(REFERENCES);
  if (heard === undefined) return null;
  const parsed = <T>(member: string): T | null => JSON.parse(claimed.get(member)?.value ?? 'null') as T | null;
  const stated = parsed<Score>('score');
  const incidents = stated === null ? parsed<NonNullable<Match['incidents']>>('incidents') : null;
  const score = stated ?? (incidents && scoreOfIncidents(sport, incidents));
  return {
    provider,
    receivedAt: heard.receivedAt,
    status: parsed<NonNullable<Match['status']>>('status') ?? (score ? 'live' : 'scheduled'),
    score,
    scoreReceivedAt: claimed.get(incidents === null ? 'score' : 'incidents')?.receivedAt ?? heard.receivedAt,
  };
}

/** Whether the incidents do not belong to an earlier score: goals would be taken back, and reported again. */
function fitScore({ sport, score, incidents }: Match, claimed: Claimed): boolean {
  if (!score || !incidents || claimed.get('incidents')!.receivedAt >= claimed.get('score')!.receivedAt) return true;
  const { home, away } = scoreOfIncidents(sport, incidents) ?? { home: 0, away: 0 };
  return home === score.home && away === score.away;
}

/** Members in which the leader's word counts, whenever it was said. */
const LED_MEMBERS = ['status', 'status_detail', 'minute', 'score', 'period_scores', 'finalized', 'incidents'];

export interface ClaimUpdate {
  update: MatchUpdate;
  /** When the provider observed its groups of fields and blocks, ms. */
  times: ReadonlyMap<string, number>;
}

/** Groups of fields with another name than their member. */
const GROUP_OF: Record<string, string> = { [REFERENCES]: 'sides', scheduled_start: 'start' };

/**
 * What a provider has reported, as one update.
 * @param since ms, by our clock; of members other than state, score and incidents only those received later: the former leader's are newer
 */
export function claimUpdate(provider: string, claimed: Claimed, since: number): ClaimUpdate {
  const members = [...claimed].filter(
    ([member, { receivedAt }]) => member === REFERENCES || LED_MEMBERS.includes(member) || receivedAt > since,
  );
  const match: Record<string, unknown> = {};
  for (const [member, { value }] of members) {
    const parsed: unknown = JSON.parse(value!);
    if (member === REFERENCES) Object.assign(match, parsed);
    else match[member] = parsed;
  }
  const { status, status_detail } = match as Pick<Match, 'status' | 'status_detail'>;
  // Said of a former status.
  if (status !== undefined && status_detail && !belongs(status_detail, status)) delete match.status_detail;
  if (status !== 'finished') delete match.finalized;
  if (!fitScore(match as Match, claimed)) delete match.incidents;
  const times = new Map(members.map(([member, { observedAt }]) => [GROUP_OF[member] ?? member, observedAt]));
  const observed_at = new Date(Math.max(...times.values())).toISOString();
  return { update: matchUpdate.parse({ schema: 1, kind: 'match', provider, observed_at, match }), times };
}
