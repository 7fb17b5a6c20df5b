/** Reads a coach: the clubs by season, with the record. */
import type { z } from 'zod';
import { COUNTED } from '../competitions/index.ts';
import { firstRow, prepared, type Queryable } from '../db/postgres.ts';
import { readAll } from '../db/reads.ts';
import { FORM_WINNER } from '../sports/winner-sql.ts';
import type { MatchAccess } from '../wire/access.ts';
import { type ListedEvents, listedEventsSql } from './listed-events.ts';
import type { coachDetail } from './schema.ts';
import { OWN_MATCHES, ownValues, readProfile } from './staff.ts';

export type CoachDetail = z.infer<typeof coachDetail>;
type Season = CoachDetail['seasons'][number];

const SEASONS = prepared(
  'seasons of a coach',
  `WITH own AS MATERIALIZED (${OWN_MATCHES}), played AS (
     SELECT m.season_id, m.tournament_id, CASE own.side WHEN 'home' THEN m.home_id ELSE m.away_id END AS team_id, m.scheduled_start, own.side,
       ${FORM_WINNER} AS winner, CASE own.side WHEN 'home' THEN m.home_score ELSE m.away_score END AS goals_for,
       CASE own.side WHEN 'home' THEN m.away_score ELSE m.home_score END AS goals_against
     FROM own JOIN match m ON m.id = own.id WHERE ${COUNTED}
   ), summed AS (
     SELECT season_id, tournament_id, team_id, max(scheduled_start) AS last, count(*)::int AS matches,
       count(*) FILTER (WHERE winner = side)::int AS wins, count(*) FILTER (WHERE winner = 'draw')::int AS draws,
       count(*) FILTER (WHERE winner <> side AND winner <> 'draw')::int AS losses,
       sum(goals_for)::int AS goals_for, sum(goals_against)::int AS goals_against
     FROM played GROUP BY 1, 2, 3
   )
   SELECT s.season_id, season.season_label, s.tournament_id, t.name AS tournament, t.name_ru AS tournament_ru, s.team_id,
     n.name AS team_name, n.name_ru AS team_name_ru, s.matches, s.wins, s.draws, s.losses, s.goals_for, s.goals_against
   FROM summed s JOIN season ON season.id = s.season_id JOIN tournament t ON t.id = s.tournament_id
     CROSS JOIN LATERAL names_at(s.team_id, s.last) n
   ORDER BY s.last DESC, s.season_id, s.team_id`,
);

const EVENTS = prepared(
  'events of a coach',
  `WITH own AS MATERIALIZED (${OWN_MATCHES}) SELECT (SELECT count(*)::int FROM own) AS events, ${listedEventsSql('own')}`,
);

/** @param id as `staffVersion` returns it */
export async function readCoach(db: Queryable, id: number, access: MatchAccess | null): Promise<CoachDetail> {
  const values = ownValues('coach', id, access);
  const [profile, { seasons, events }] = await Promise.all([
    readProfile(db, id),
    readAll(db, {
      seasons: { statement: SEASONS(values), toValue: (rows: Season[]) => rows },
      events: { statement: EVENTS(values), toValue: (rows: (ListedEvents & { events: number })[]) => firstRow(rows) },
    }),
  ]);
  const sum = (figure: 'matches' | 'wins' | 'draws' | 'losses' | 'goals_for' | 'goals_against') =>
    seasons.reduce((total, season) => total + season[figure], 0);
  return {
    ...profile,
    ...events,
    matches: sum('matches'),
    wins: sum('wins'),
    draws: sum('draws'),
    losses: sum('losses'),
    goals_for: sum('goals_for'),
    goals_against: sum('goals_against'),
    seasons,
  };
}
