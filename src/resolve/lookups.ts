/** Finds what rows may mean, by identity and by name. Each look-up is one statement for all rows. */
import { foldName } from '../db/fold-name.ts';
import { prepared, type Queryable } from '../db/postgres.ts';
import {
  IS_NAMED_ONLY,
  identifyParticipant,
  identifyTournament,
  isIdentified,
  storedKey,
} from '../identity/entity-keys.ts';
import { teamKey } from '../identity/merges.ts';
import type { MatchAccess } from '../wire/access.ts';
import type { Candidate, Row } from './schema.ts';

/** A row with a name, and the position in the request. */
export interface Asked {
  at: number;
  row: Row & { name: string };
}

/** How a name fits; higher is better. */
export const FIT = {
  /** The name of a club without "FC" and the like. */
  shortened: 0,
  /** One of our names, or a former one. */
  name: 1,
  /** The reviewed identity decides it: a name in a country, or a name with a birth date. */
  identity: 2,
} as const;

/** Something of ours that a row may mean. */
export interface Found extends Candidate {
  at: number;
  fit: (typeof FIT)[keyof typeof FIT];
}

const COLUMNS = 'p.id, p.name, p.sport, p.gender, p.country, p.birth_date::text';

const BY_IDENTITY = prepared(
  'resolve identities',
  `SELECT w.at, w.fit, ${COLUMNS} FROM json_to_recordset($1) AS w (at int, fit int, type text, sport text, gender text, key text)
   JOIN participant g ON g.type = w.type AND g.sport = w.sport AND g.gender = w.gender AND g.key = w.key
   JOIN participant p ON p.id = coalesce(g.person_id, g.id)`,
);

/** Leaves out players whom we know only by a name in a team, because such ids do not last. */
const BY_NAME = prepared(
  'resolve names',
  `SELECT DISTINCT w.at, w.fit, ${COLUMNS} FROM json_to_recordset($1) AS w (at int, fit int, type text, sport text, gender text, key text)
   JOIN participant_alias a ON a.key = w.key
   JOIN participant p ON p.id = a.participant_id AND p.type = w.type AND p.person_id IS NULL AND NOT p.${IS_NAMED_ONLY}
     AND (w.sport IS NULL OR p.sport = w.sport) AND (w.gender IS NULL OR p.gender = w.gender)`,
);

const TOURNAMENTS = prepared(
  'resolve tournaments',
  `SELECT DISTINCT w.at, w.fit, t.id, t.name, t.sport, t.gender, t.country, NULL AS birth_date
   FROM json_to_recordset($1) AS w (at int, fit int, sport text, gender text, country text, key text)
   JOIN tournament t ON t.key = w.key AND (w.sport IS NULL OR t.sport = w.sport) AND (w.gender IS NULL OR t.gender = w.gender)
     AND (w.country IS NULL OR t.country = w.country)
   WHERE $2::text[] IS NULL OR t.sport = ANY ($2) OR t.id = ANY ($3::bigint[])`,
);

const PLAYED_FOR = prepared(
  'players of clubs',
  `SELECT DISTINCT w.at, w.player_id FROM json_to_recordset($1) AS w (at int, player_id bigint, key text)
   JOIN participant_alias a ON a.key = w.key JOIN participant c ON c.id = a.participant_id AND c.type = 'team'
   WHERE EXISTS (SELECT FROM match_player l JOIN match m ON m.id = l.match_id
       WHERE l.participant_id = w.player_id AND c.id = CASE l.side WHEN 'home' THEN m.home_id ELSE m.away_id END)
     OR EXISTS (SELECT FROM squad_member s WHERE s.player_id = w.player_id AND s.team_id = c.id)`,
);

/** The sport in which a row's identity is looked up if the row has none. A name is looked up in all sports. */
const USUAL_SPORT = 'football';
const GENDERS = ['men', 'women'] as const;

const nameTexts = (name: string): string[] => {
  const folded = foldName(name);
  return [folded, teamKey(folded)];
};

/** Finds everything that the rows may mean. */
export async function findByNames(
  db: Queryable,
  asked: readonly Asked[],
  access: MatchAccess | null,
): Promise<Found[]> {
  const participants = asked.filter(({ row }) => row.type !== 'tournament');
  const read = async (statement: typeof BY_NAME, given: readonly object[], ...values: unknown[]) =>
    given.length === 0 ? [] : (await db.query<Found>(statement([JSON.stringify(given), ...values]))).rows;
  return [
    ...(await read(BY_IDENTITY, participants.flatMap(identities))),
    ...(await read(BY_NAME, participants.flatMap(names))),
    ...(await read(
      TOURNAMENTS,
      asked.filter(({ row }) => row.type === 'tournament').flatMap(tournamentKeys),
      access?.sports ?? null,
      access?.tournaments ?? null,
    )),
  ];
}

/**
 * A team needs the country, and a player the birth date, to be identified. If the sport is not given, a team of another sport may have
 * the same name, so that identity is worth no more than the name.
 */
function identities({ at, row }: Asked): object[] {
  const { type, name, country, birth_date } = row;
  const isComplete = type === 'team' ? country !== undefined : isIdentified({ birth_date });
  if (!isComplete || type === 'tournament') return [];
  return (row.gender === undefined ? GENDERS : [row.gender]).map((gender) => {
    const sport = row.sport ?? USUAL_SPORT;
    const key = storedKey(identifyParticipant({ type, sport, gender, name, country, birth_date }));
    return { at, fit: row.sport === undefined && type === 'team' ? FIT.name : FIT.identity, type, sport, gender, key };
  });
}

function names({ at, row: { type, name, sport, gender } }: Asked): object[] {
  const [whole, shortened] = nameTexts(name) as [string, string];
  const base = { at, type, sport, gender };
  const isShorter = type === 'team' && shortened !== whole;
  return [
    { ...base, fit: FIT.name, key: whole },
    ...(isShorter ? [{ ...base, fit: FIT.shortened, key: shortened }] : []),
  ];
}

function tournamentKeys({ at, row: { name, sport, gender, country } }: Asked): object[] {
  const base = { at, sport, gender, country };
  const whole = { ...base, fit: FIT.name, key: foldName(name) };
  if (country === undefined) return [whole];
  const identified = { sport: sport ?? USUAL_SPORT, gender: gender ?? 'men' };
  const { key } = identifyTournament({ ...identified, country, name });
  return [whole, { ...base, ...identified, fit: FIT.identity, key }];
}

/** Finds the candidates that have played for the club in the row. @returns `at` and player id as a text */
export async function findPlayersOfClubs(
  db: Queryable,
  asked: readonly { at: number; club: string; players: readonly number[] }[],
): Promise<Set<string>> {
  const given = asked.flatMap(({ at, club, players }) =>
    players.flatMap((player_id) => [...new Set(nameTexts(club))].map((key) => ({ at, player_id, key }))),
  );
  if (given.length === 0) return new Set();
  const { rows } = await db.query<{ at: number; player_id: number }>(PLAYED_FOR([JSON.stringify(given)]));
  return new Set(rows.map(({ at, player_id }) => memberKey(at, player_id)));
}

const CLAIMED = prepared(
  'resolve claimed ids',
  `WITH claimed AS MATERIALIZED (
     SELECT entity, ids, candidates FROM register_entry
     WHERE entity IN ('team', 'player') AND cardinality(candidates) > 0 AND reason IN ('claimed_id', 'several_of_ours'))
   SELECT DISTINCT w.at, ${COLUMNS} FROM json_to_recordset($1) AS w (at int, entity text, provider text, external_id text)
   JOIN claimed c ON c.entity = w.entity AND c.ids ->> w.provider = w.external_id
   JOIN participant p ON p.id = ANY (c.candidates) ORDER BY w.at, p.id`,
);

/** Finds the participants that claim an id at a provider, which none of them has until an operator has decided. */
export async function findClaimants(
  db: Queryable,
  asked: readonly { at: number; entity: string; provider: string; external_id: string }[],
): Promise<(Candidate & { at: number })[]> {
  if (asked.length === 0) return [];
  return (await db.query<Candidate & { at: number }>(CLAIMED([JSON.stringify(asked)]))).rows;
}

export const memberKey = (at: number, player: number): string => `${at} ${player}`;
