/** Queries for linking names to players: the persons, and the player names without an id. */
import { foldName } from '../db/fold-name.ts';
import type { Queryable } from '../db/postgres.ts';
import { IS_NAMED_ONLY, isNationalTeam } from './entity-keys.ts';
import { teamKey } from './merges.ts';
import type { Mention, NamedInTeam, Person } from './player-figures.ts';

const DAY = `(extract(epoch FROM m.scheduled_start)::bigint / 86400)::int`;

interface PersonRow {
  id: number;
  key: string;
  kind: string;
  names: string[];
  country: string | null;
  born: number | null;
  position: string | null;
  club: string | null;
}

/** Loads the players who are identified by a birth date or an id. */
export async function loadPersons(client: Queryable): Promise<Person[]> {
  const { rows } = await client.query<PersonRow>(
    `SELECT p.id, p.key, p.sport || '|' || p.gender AS kind, p.country, (p.birth_date - DATE '1970-01-01') AS born,
       p.extra ->> 'position' AS position, p.extra ->> 'club' AS club,
       ARRAY(SELECT DISTINCT a.key FROM participant_alias a WHERE a.participant_id = p.id ORDER BY 1) AS names
     FROM participant p WHERE p.type = 'player' AND p.person_id IS NULL AND NOT p.${IS_NAMED_ONLY} ORDER BY p.id`,
  );
  const played = await loadPlayed(client);
  const teams = await loadTeams(client, [...new Set([...played.values()].flatMap((days) => [...days.keys()]))]);
  return rows.map(({ position, club, names, ...row }) => {
    const days = played.get(row.id) ?? new Map<number, readonly number[]>();
    return {
      ...row,
      names: names.map((name) => name.split(' ')),
      isGoalkeeper: position !== null && GOALKEEPER.test(position),
      club: club === null ? null : teamKey(foldName(club)),
      played: days,
      nations: [...days.keys()].filter((id) => teams.get(id)!.isNational),
    };
  });
}

const GOALKEEPER = /^(?:G|GK|goalkeeper)$/iu;

/**
 * Returns match days by player and team, for players whom the source identifies. Rows in which the player comes from a linked
 * name do not count, because links cannot confirm each other.
 */
async function loadPlayed(client: Queryable): Promise<Map<number, Map<number, number[]>>> {
  const { rows } = await client.query<{ id: number; team_id: number; days: number[] }>(
    `SELECT p.participant_id AS id, CASE p.side WHEN 'home' THEN m.home_id ELSE m.away_id END AS team_id,
       json_agg(${DAY} ORDER BY m.scheduled_start) AS days
     FROM match_player p JOIN match m ON m.id = p.match_id
     WHERE p.participant_id IS NOT NULL AND p.appeared AND NOT EXISTS (
       SELECT FROM player_mention r WHERE r.match_id = p.match_id AND r.side = p.side AND r.name = p.player_name)
     GROUP BY 1, 2`,
  );
  const played = new Map<number, Map<number, number[]>>();
  for (const { id, team_id, days } of rows) {
    const teams = played.get(id) ?? new Map<number, number[]>();
    played.set(id, teams.set(team_id, days));
  }
  return played;
}

interface MentionsRow {
  team_id: number;
  name: string;
  goals: number;
  played: boolean;
  match_ids: number[];
  days: number[];
  blocks: string[];
  sides: string[];
  /** 0 if not linked yet. */
  linked: number[];
}

export interface StoredMention extends Mention {
  /** 0 if not linked yet. */
  linked: number;
}
export interface StoredNamed extends NamedInTeam {
  mentions: StoredMention[];
}

interface TeamRow {
  id: number;
  kind: string;
  key: string;
  name: string;
  country: string | null;
  isNational: boolean;
}

/**
 * Loads the names without an id, by team. The lists come as JSON, which takes a third of the time that arrays take.
 * @param pause is called between small steps
 */
export async function loadNamed(client: Queryable, pause: () => Promise<unknown>): Promise<StoredNamed[]> {
  const { rows } = await client.query<MentionsRow>(
    `SELECT CASE r.side WHEN 'home' THEN m.home_id ELSE m.away_id END AS team_id, r.name, sum(r.goals)::int AS goals, bool_or(r.played) AS played,
       json_agg(m.id ORDER BY m.id, r.block) AS match_ids, json_agg(${DAY} ORDER BY m.id, r.block) AS days, json_agg(r.block ORDER BY m.id, r.block) AS blocks,
       json_agg(r.side ORDER BY m.id, r.block) AS sides, json_agg(coalesce(r.participant_id, 0) ORDER BY m.id, r.block) AS linked
     FROM player_mention r JOIN match m ON m.id = r.match_id GROUP BY 1, 2`,
  );
  const teams = await loadTeams(client, [...new Set(rows.map(({ team_id }) => team_id))]);
  const named = new Map<string, StoredNamed>();
  for (const row of rows) {
    await pause();
    const team = teams.get(row.team_id)!;
    const key = `${team.id}|${foldName(row.name)}`;
    const mentions = row.match_ids.map((match_id, at) => ({
      match_id,
      day: row.days[at]!,
      block: row.blocks[at]!,
      side: row.sides[at]!,
      linked: row.linked[at]!,
      name: row.name,
    }));
    const known = named.get(key);
    if (known === undefined) {
      named.set(key, {
        kind: team.kind,
        team_id: team.id,
        team_key: team.key,
        team: teamKey(foldName(team.name)),
        team_country: team.country,
        isNational: team.isNational,
        name: row.name,
        mentions,
        goals: row.goals,
        hasPlayed: row.played,
      });
    } else {
      known.mentions.push(...mentions);
      known.goals += row.goals;
      known.hasPlayed ||= row.played;
      if (row.name > known.name) known.name = row.name; // The spelling with accents sorts last.
    }
  }
  return [...named.values()];
}

async function loadTeams(client: Queryable, ids: readonly number[]): Promise<Map<number, TeamRow>> {
  const { rows } = await client.query<Omit<TeamRow, 'isNational'>>(
    `SELECT id, sport || '|' || gender AS kind, key, name, country FROM participant WHERE id = ANY ($1)`,
    [ids],
  );
  const isNational = (key: string) => isNationalTeam({ key: key.slice(key.indexOf('|') + 1) });
  return new Map(rows.map((row) => [row.id, { ...row, isNational: isNational(row.key) }]));
}
