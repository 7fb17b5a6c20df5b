/** `/v1/participant/{id}/squad` returns a team's players in a season. */
import type pg from 'pg';
import type { z } from 'zod';
import { firstRow, prepared } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import { LINE_OF_POSITION } from '../db/shown-blocks.ts';
import { isWithin, type MatchAccess } from '../wire/access.ts';
import { grouped } from '../wire/grouped.ts';
import { NO_APPEARANCE, type PlayerFigures, playerFigures, sumOrNull } from './figures.ts';
import { type PlayerProfile, playerProfiles } from './row-names.ts';
import type { squadCompetition, squadPlayer } from './schema.ts';
import {
  type ChosenSeason,
  type PlayerSeason,
  readSquadSeasons,
  type SquadRow,
  squadRowsSql,
  squadSeasons,
} from './season-figures.ts';
import type { ValueCounts } from './store-season-figures.ts';

export type SquadPlayer = z.infer<typeof squadPlayer>;

export interface Squad {
  /** Null if no players in the team are known. */
  season_label: string | null;
  /** Seasons for which players are known, newest first. */
  season_labels: string[];
  /** The team's competitions in the season with this label. */
  competitions: z.infer<typeof squadCompetition>[];
  squad: SquadPlayer[];
}

export interface SquadFilter {
  season_label?: string | undefined;
  season?: number | undefined;
  tournament?: number | undefined;
}

interface Competition {
  season_id: number;
  season_label: string;
  tournament_id: number;
  tournament: string;
  sport: string;
  tournament_ru: string | null;
  importance: number;
  is_listed: boolean;
  is_national: boolean;
}

/** SQL for the team's id and the ids of participants that turned out to be the same team. */
const TEAM = '(SELECT id FROM participant WHERE id = $1 UNION ALL SELECT id FROM participant WHERE person_id = $1)';

/**
 * Competitions with players, newest first. A competition that has a squad list but no match has not begun, so it comes first.
 */
const COMPETITIONS_SQL = `SELECT s.id AS season_id, s.season_label, t.id AS tournament_id, t.name AS tournament, t.name_ru AS tournament_ru, t.sport, t.importance,
     row_number() OVER (ORDER BY max(known.scheduled_start) DESC NULLS FIRST, s.season_label DESC, s.id) AS position,
     bool_or(known.is_listed) AS is_listed,
     (SELECT split_part(key, '|', 2) LIKE 'national team %' FROM participant WHERE id = $1) AS is_national
   FROM (
     SELECT m.season_id, m.scheduled_start, false AS is_listed FROM match m
     WHERE (m.home_id = $1 OR m.away_id = $1) AND EXISTS (
       SELECT FROM match_player p WHERE p.match_id = m.id AND p.side = CASE m.home_id WHEN $1 THEN 'home' ELSE 'away' END)
     UNION ALL
     SELECT l.season_id, m.scheduled_start, true
     FROM (SELECT DISTINCT season_id FROM squad_member WHERE team_id IN ${TEAM}) l
     LEFT JOIN match m ON m.season_id = l.season_id AND (m.home_id = $1 OR m.away_id = $1)
   ) known JOIN season s ON s.id = known.season_id JOIN tournament t ON t.id = s.tournament_id
   GROUP BY s.id, t.id ORDER BY position`;
const COMPETITIONS = prepared('competitions of a squad', COMPETITIONS_SQL);

/**
 * Returns the squad that a source lists. Without a list, returns the players who were in a line-up, scored or got a card in
 * finished matches. A club's figures are summed over all competitions. A national team has a squad for each competition,
 * since qualifying takes years. By default, the squad of the most important competition is returned.
 * @returns null if no players are known for that season
 */
export async function readSquad(
  pool: pg.Pool,
  teamId: number,
  filter: SquadFilter,
  access: MatchAccess | null,
): Promise<Squad | null> {
  const { rows } = await pool.query<Competition>(COMPETITIONS([teamId]));
  const chosen = choose(rows, filter, access);
  if (chosen === null) return null;
  const { counted, ...season } = chosen;
  const squad = counted.length === 0 ? [] : await readPlayers(pool, teamId, counted);
  return { ...season, competitions: season.competitions.map(({ tournament_ru: _, ...one }) => one), squad };
}

interface ChosenCompetition extends z.infer<typeof squadCompetition> {
  tournament_ru: string | null;
}

interface Chosen extends Omit<Squad, 'squad' | 'competitions'> {
  competitions: ChosenCompetition[];
  /** The competitions whose players form the squad. */
  counted: Competition[];
}

/** @param rows all competitions, newest first */
function choose(rows: readonly Competition[], filter: SquadFilter, access: MatchAccess | null): Chosen | null {
  const season_labels = [...new Set(rows.map(({ season_label }) => season_label))];
  const isWanted = ({ season_label, season_id, tournament_id }: Competition) =>
    (filter.season_label ?? season_label) === season_label &&
    (filter.season ?? season_id) === season_id &&
    (filter.tournament ?? tournament_id) === tournament_id;
  const first = rows.find(isWanted);
  if (first === undefined)
    return Object.values(filter).some((value) => value !== undefined)
      ? null
      : { season_label: null, season_labels, competitions: [], counted: [] };
  const competitions = rows.filter(
    ({ season_label, sport, tournament_id }) =>
      season_label === first.season_label && isWithin(access, sport, tournament_id),
  );
  const wanted = competitions.filter(isWanted);
  const counted = first.is_national ? mostImportant(wanted) : wanted;
  return {
    season_label: first.season_label,
    season_labels,
    competitions: competitions.map((one) => {
      const { season_id, tournament_id, tournament, tournament_ru, is_listed } = one;
      return { season_id, tournament_id, tournament, tournament_ru, is_listed, is_counted: counted.includes(one) };
    }),
    counted,
  };
}

/** Returns the most important competition or, of several equally important ones, the newest. */
const mostImportant = (competitions: readonly Competition[]): Competition[] =>
  competitions.toSorted((a, b) => b.importance - a.importance).slice(0, 1);

const COUNTS_OF = { shirt_number: 'shirt_numbers', position: 'positions' } as const;

interface Member {
  season_id: number;
  participant_id: number;
  shirt_number: string | null;
  position: string | null;
}

const membersSql = (seasons: string) =>
  `SELECT DISTINCT ON (l.season_id, p.id) l.season_id, p.id AS participant_id, l.shirt_number, l.position
   FROM squad_member l JOIN participant g ON g.id = l.player_id JOIN participant p ON p.id = coalesce(g.person_id, g.id)
   WHERE l.team_id IN ${TEAM} AND l.season_id = ANY (${seasons}) ORDER BY l.season_id, p.id, l.player_id`;
const MEMBERS = prepared('squad members', membersSql('$2'));

async function readPlayers(pool: pg.Pool, teamId: number, counted: readonly Competition[]): Promise<SquadPlayer[]> {
  const seasonIds = counted.map(({ season_id }) => season_id);
  const seasons = await readSquadSeasons(pool, teamId, seasonIds);
  const { rows } = await pool.query<Member>(MEMBERS([teamId, seasonIds]));
  const profiles = await playerProfiles(pool, [
    ...seasons.flatMap(({ players }) => players.map(({ participant_id }) => participant_id)),
    ...rows.map(({ participant_id }) => participant_id),
  ]);
  return listPlayers(counted, seasons, rows, profiles);
}

/** The squad of a team's page. The competitions have Russian names. */
export interface ShownSquad extends Omit<Squad, 'competitions'> {
  competitions: ChosenCompetition[];
}

/** Chooses the same competitions as `choose` does, so that one statement reads the players, too. */
const SHOWN = prepared(
  'squad of a page',
  `WITH competition AS MATERIALIZED (${COMPETITIONS_SQL}),
   wanted AS (SELECT * FROM competition WHERE ($2::text IS NULL OR season_label = $2) AND ($3::bigint IS NULL OR season_id = $3)),
   first AS (SELECT season_label, is_national FROM wanted ORDER BY position LIMIT 1),
   counted AS MATERIALIZED (
     SELECT w.season_id FROM wanted w JOIN first f USING (season_label)
     ORDER BY CASE WHEN f.is_national THEN w.importance END DESC, w.position LIMIT (SELECT CASE WHEN is_national THEN 1 END FROM first)
   ), member AS MATERIALIZED (${membersSql('ARRAY(SELECT season_id FROM counted)')})
   SELECT (SELECT coalesce(json_agg(c ORDER BY c.position), '[]') FROM competition c) AS competitions,
     (SELECT coalesce(json_agg(f), '[]') FROM (${squadRowsSql('SELECT season_id FROM counted', '$1::bigint')}) f) AS seasons,
     (SELECT coalesce(json_agg(m), '[]') FROM member m) AS members,
     (SELECT coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'name_ru', p.name_ru)), '[]') FROM participant p
       WHERE p.id IN (SELECT participant_id FROM member UNION
         SELECT f.participant_id FROM counted c JOIN player_figures f USING (season_id) WHERE f.team_id = $1)) AS profiles`,
);

interface ShownRow {
  competitions: Competition[];
  seasons: SquadRow[];
  members: Member[];
  profiles: (Pick<PlayerProfile, 'name' | 'name_ru'> & { id: number })[];
}

/** Reads the squad of `readSquad`, without the players' days of birth and countries. Use it within `withFreshFigures`. */
export const squadRead = (
  teamId: number,
  filter: Pick<SquadFilter, 'season_label' | 'season'>,
): Read<ShownSquad | null> => ({
  statement: SHOWN([teamId, filter.season_label ?? null, filter.season ?? null]),
  toValue: (rows: ShownRow[]) => {
    const { competitions, seasons, members, profiles } = firstRow(rows);
    const chosen = choose(competitions, filter, null);
    if (chosen === null) return null;
    const { counted, ...season } = chosen;
    const played = squadSeasons(
      seasons,
      teamId,
      counted.map(({ season_id }) => season_id),
    );
    const names = new Map(profiles.map(({ id, ...names }) => [id, { ...names, birth_date: null, country: null }]));
    return { ...season, squad: listPlayers(counted, played, members, names) };
  },
});

function listPlayers(
  counted: readonly Competition[],
  seasons: readonly ChosenSeason[],
  members: readonly Member[],
  profiles: ReadonlyMap<number | null, PlayerProfile>,
): SquadPlayer[] {
  const players = grouped(
    seasons.flatMap((season) => season.players),
    ({ key }) => key,
  );
  const listed = grouped(members, ({ participant_id }) => `p${participant_id}`);
  const idle = new Map(
    seasons.map(({ season_id, sums, known }) => [season_id, playerFigures(NO_APPEARANCE, sums, known)]),
  );
  const isComplete = counted.every(({ is_listed }) => is_listed);
  const keys = isComplete ? [...listed.keys()] : [...new Set([...players.keys(), ...listed.keys()])];
  const squad = keys.map((key) => {
    const members = listed.get(key) ?? [];
    const own = players.get(key) ?? [];
    const participant_id = members[0]?.participant_id ?? own[0]?.participant_id ?? null;
    const profile = profiles.get(participant_id);
    const unused = members.filter(({ season_id }) => own.every((season) => season.season_id !== season_id));
    const shown = (field: 'shirt_number' | 'position') =>
      (isComplete ? members.at(-1)?.[field] : null) ??
      mostFrequent(own.flatMap((season) => season[COUNTS_OF[field]])) ??
      members.at(-1)?.[field] ??
      null;
    return {
      participant_id,
      player_name: profile?.name ?? own.at(-1)!.player_name,
      player_name_ru: profile?.name_ru ?? null,
      birth_date: profile?.birth_date ?? null,
      country: profile?.country ?? null,
      shirt_number: shown('shirt_number'),
      position: shown('position'),
      ...addFigures([...own, ...unused.map(({ season_id }) => ({ figures: idle.get(season_id)! }))]),
    };
  });
  return squad.sort(byPosition);
}

/** Returns the most frequent value in the matches or, of several equally frequent ones, the newest. Null if none is known. */
function mostFrequent(seen: ValueCounts): string | null {
  const counts = new Map<string, number>();
  for (const [value, matches] of seen) counts.set(value, (counts.get(value) ?? 0) + matches);
  const most = Math.max(...counts.values());
  return [...counts].findLast(([, count]) => count === most)?.[0] ?? null;
}

/** Adds up the figures over several competitions. A sum is unknown if the figure is unknown in any of them. */
function addFigures(seasons: readonly Pick<PlayerSeason, 'figures'>[]) {
  const add = (name: keyof PlayerFigures) => addFigure(seasons, name);
  return {
    matches: add('matches'),
    starts: add('starts'),
    minutes: add('minutes'),
    goals: add('goals'),
    assists: add('assists'),
    yellow_cards: add('yellow_cards'),
    red_cards: add('red_cards'),
    clean_sheets: add('clean_sheets'),
  };
}

export const addFigure = (
  seasons: readonly Pick<PlayerSeason, 'figures'>[],
  name: keyof PlayerFigures,
): number | null => sumOrNull(seasons, ({ figures }) => figures[name]);

const UNKNOWN_LINE = 9;
const lineOf = ({ position }: SquadPlayer) => LINE_OF_POSITION.get(position?.toLowerCase() ?? '') ?? UNKNOWN_LINE;
const numberOf = ({ shirt_number }: SquadPlayer) => Number(shirt_number ?? Number.POSITIVE_INFINITY);
const compare = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0);
/** Orders players by line (goalkeepers first), then by shirt number, then by name. */
const byPosition = (a: SquadPlayer, b: SquadPlayer) =>
  compare(lineOf(a), lineOf(b)) ||
  compare(numberOf(a), numberOf(b)) ||
  a.player_name.localeCompare(b.player_name, 'en');
