/** Stores who refereed a match and who coached its sides. The referee comes from the match row, the coaches from their block. */
import { foldName } from '../../db/fold-name.ts';
import { prepared, type Queryable } from '../../db/postgres.ts';
import { refereeNames, type StaffName, type StaffRole, storeStaffNames } from '../../identity/index.ts';
import type { MatchChange } from '../merge/match-change.ts';
import { parseList } from '../stored/blocks.ts';
import type { Provenance } from '../stored/provenance.ts';
import type { StoredMatch } from '../stored/stored-match.ts';

interface Coach {
  side: 'home' | 'away';
  coach_name: string;
  coach_name_ru?: string | null;
}

/** The staff of a match in one role. It replaces what is stored. */
export interface MatchStaff {
  match_id: number;
  role: StaffRole;
  provider: string;
  people: readonly { side: 'home' | 'away' | null; name: string; name_ru?: string | null; position: number }[];
}

/** The source for names without provenance. */
const UNKNOWN_PROVIDER = 'touchline';
const providerFor = (provenance: Provenance, group: string) => provenance[group]?.provider ?? UNKNOWN_PROVIDER;

export const refereeStaff = ({ id, referee, provenance }: StoredMatch): MatchStaff => ({
  match_id: id,
  role: 'referee',
  provider: providerFor(provenance, 'referee'),
  people: refereeNames(referee ?? '').map((name, position) => ({ side: null, name, position })),
});

/** @param block the block `coaches`; absent if the match has none */
export const coachStaff = ({ id, provenance }: StoredMatch, block: { json: string } | undefined): MatchStaff => ({
  match_id: id,
  role: 'coach',
  provider: providerFor(provenance, 'coaches'),
  people: parseList<Coach>(block).flatMap(({ side, coach_name: name, coach_name_ru: name_ru = null }, position) =>
    foldName(name) === '' ? [] : [{ side, name, name_ru, position }],
  ),
});

/** Returns the staff that a change replaces. Most changes replace none. */
export function changedStaff({ before, blocks }: MatchChange, after: StoredMatch): MatchStaff[] {
  const isRefereeNew = (before?.referee ?? null) !== after.referee;
  const coaches = blocks.rows.find(({ block }) => block === 'coaches');
  const areCoachesNew = coaches !== undefined || blocks.removed.includes('coaches');
  return [...(isRefereeNew ? [refereeStaff(after)] : []), ...(areCoachesNew ? [coachStaff(after, coaches)] : [])];
}

/**
 * The country that tells people of one name apart. For a referee, it is the tournament's. A coach of a club has the club's in
 * international tournaments, so that the coach is the same person in the league and in the European cup.
 */
const CONTEXTS = prepared(
  'contexts of staff',
  `SELECT m.id, m.sport, t.country, ${['home', 'away']
    .map(
      (side) =>
        `CASE WHEN t.country <> 'INT' OR ${side}.key LIKE '%|national team %' THEN t.country ELSE coalesce(${side}.country, t.country) END AS ${side}`,
    )
    .join(', ')}
   FROM match m JOIN tournament t ON t.id = m.tournament_id
   JOIN participant home ON home.id = m.home_id JOIN participant away ON away.id = m.away_id WHERE m.id = ANY ($1)`,
);
interface Context {
  id: number;
  sport: string;
  country: string;
  home: string;
  away: string;
}

const DELETE = prepared(
  'delete staff',
  `DELETE FROM match_staff s USING unnest($1::bigint[], $2::text[]) AS r (match_id, role)
   WHERE s.match_id = r.match_id AND s.role = r.role`,
);
const INSERT = prepared(
  'insert staff',
  `INSERT INTO match_staff (match_id, role, position, side, name, participant_id)
   SELECT match_id, role, position, side, name, participant_id FROM json_populate_recordset(NULL::match_staff, $1)`,
);

/** Replaces the staff of stored matches, which the caller has locked. */
export async function storeStaff(client: Queryable, staff: readonly MatchStaff[]): Promise<void> {
  if (staff.length === 0) return;
  await client.query(DELETE([staff.map(({ match_id }) => match_id), staff.map(({ role }) => role)]));
  const ids = [...new Set(staff.flatMap(({ match_id, people }) => (people.length === 0 ? [] : [match_id])))];
  if (ids.length === 0) return;
  const { rows } = await client.query<Context>(CONTEXTS([ids]));
  const contexts = new Map(rows.map((row) => [row.id, row]));
  const named = staff.flatMap(({ match_id, role, provider, people }) =>
    people.map(({ side, name, name_ru = null, position }) => {
      const { sport, country, ...clubs } = contexts.get(match_id)!;
      const of: StaffName = { role, sport, country: side === null ? country : clubs[side], name, name_ru, provider };
      return { row: { match_id, role, position, side, name }, of };
    }),
  );
  const people = await storeStaffNames(
    client,
    named.map(({ of }) => of),
  );
  const written = named.map(({ row }, index) => ({ ...row, participant_id: people[index] }));
  await client.query(INSERT([JSON.stringify(written)]));
}
