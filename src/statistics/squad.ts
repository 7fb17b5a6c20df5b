/** `/v1/participant/{id}/squad` returns a team's players in a season. */
import type pg from 'pg';
import type { z } from 'zod';
import { prepared } from '../db/postgres.ts';
import { LINE_OF_POSITION } from '../db/shown-blocks.ts';
import { isWithin, type MatchAccess } from '../wire/access.ts';
import { grouped } from '../wire/grouped.ts';
import { NO_APPEARANCE, type PlayerFigures, playerFigures, sumOrNull } from './figures.ts';
import { playerProfiles } from './row-names.ts';
import type { squadCompetition, squadPlayer } from './schema.ts';
import { type PlayerSeason, readSquadSeasons } from './season-figures.ts';
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
  importance: number;
  is_listed: boolean;
  is_national: boolean;
}

/** SQL for the team's id and the ids of participants that turned out to be the same team. */
const TEAM = '(SELECT id FROM participant WHERE id = $1 UNION ALL SELECT id FROM participant WHERE person_id = $1)';

/**
 * Competitions with players, newest first. A competition that has a squad list but no match has not begun, so it comes first.
 */
const COMPETITIONS = prepared(
  'competitions of a squad',
  `SELECT s.id AS season_id, s.season_label, t.id AS tournament_id, t.name AS tournament, t.sport, t.importance,
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
   GROUP BY s.id, t.id ORDER BY max(known.scheduled_start) DESC NULLS FIRST, s.season_label DESC, s.id`,
);

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
  const season_labels = [...new Set(rows.map(({ season_label }) => season_label))];
  const isWanted = ({ season_label, season_id, tournament_id }: Competition) =>
    (filter.season_label ?? season_label) === season_label &&
    (filter.season ?? season_id) === season_id &&
    (filter.tournament ?? tournament_id) === tournament_id;
  const first = rows.find(isWanted);
  if (first === undefined)
    return Object.values(filter).some((value) => value !== undefined)
      ? null
      : { season_label: null, season_labels, competitions: [], squad: [] };
  const competitions = rows.filter(
    ({ season_label, sport, tournament_id }) =>
      season_label === first.season_label && isWithin(access, sport, tournament_id),
  );
  const wanted = competitions.filter(isWanted);
  const counted = new Set(first.is_national ? mostImportant(wanted) : wanted);
  return {
    season_label: first.season_label,
    season_labels,
    competitions: competitions.map((one) => {
      const { season_id, tournament_id, tournament, is_listed } = one;
      return { season_id, tournament_id, tournament, is_listed, is_counted: counted.has(one) };
    }),
    squad: await readPlayers(pool, teamId, [...counted]),
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

const MEMBERS = prepared(
  'squad members',
  `SELECT DISTINCT ON (l.season_id, p.id) l.season_id, p.id AS participant_id, l.shirt_number, l.position
   FROM squad_member l JOIN participant g ON g.id = l.player_id JOIN participant p ON p.id = coalesce(g.person_id, g.id)
   WHERE l.team_id IN ${TEAM} AND l.season_id = ANY ($2) ORDER BY l.season_id, p.id, l.player_id`,
);

async function readPlayers(pool: pg.Pool, teamId: number, counted: readonly Competition[]): Promise<SquadPlayer[]> {
  const seasonIds = counted.map(({ season_id }) => season_id);
  const seasons = await readSquadSeasons(pool, teamId, seasonIds);
  const players = grouped(
    seasons.flatMap((season) => season.players),
    ({ key }) => key,
  );
  const { rows } = await pool.query<Member>(MEMBERS([teamId, seasonIds]));
  const listed = grouped(rows, ({ participant_id }) => `p${participant_id}`);
  const idle = new Map(
    seasons.map(({ season_id, sums, known }) => [season_id, playerFigures(NO_APPEARANCE, sums, known)]),
  );
  const isComplete = counted.every(({ is_listed }) => is_listed);
  const keys = isComplete ? [...listed.keys()] : [...new Set([...players.keys(), ...listed.keys()])];
  const found = keys.map((key) => ({ members: listed.get(key) ?? [], own: players.get(key) ?? [] }));
  const idOf = ({ members, own }: (typeof found)[number]) =>
    members[0]?.participant_id ?? own[0]?.participant_id ?? null;
  const profiles = await playerProfiles(pool, found.map(idOf));
  const squad = found.map((one) => {
    const { members, own } = one;
    const participant_id = idOf(one);
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
