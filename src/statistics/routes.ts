/** Statistics over REST: by season, squads, leaders, missing players. */
import { z } from 'zod';
import { findSubject, type Subject } from '../catalogue/index.ts';
import { requireSeason } from '../competitions/index.ts';
import { type Deps, type Route, route } from '../deps.ts';
import { format, idParam, idParams, limit, oneValue, Problem, text } from '../http/index.ts';
import { firstStat, STATS, type Stat, seasonLeaders, seasonsWithPlayers } from './leaders.ts';
import { readMissing, readMissingOfSeason } from './missing-players.ts';
import * as schema from './schema.ts';
import { readSquad } from './squad.ts';
import { listStatistics } from './statistics.ts';

const STATISTICS_SECONDS = 60;
const common = { method: 'GET', access: 'key', cost: 1, cache: { maxAge: STATISTICS_SECONDS } } as const;

/** Returns the participant, or the person that its name has been identified as. @throws {Problem} not_found */
async function requireParticipant({ pool }: Deps, id: number): Promise<Subject> {
  const found = await findSubject(pool, id);
  if (found === null) throw new Problem('not_found', `There is no participant ${id}.`);
  return found;
}

const statistics = route({
  ...common,
  path: '/v1/participant/{id}/statistics',
  example: {},
  summary: "A team's or player's statistics by season",
  description:
    'From finished matches, newest season first; a player has one entry for each team in a season. A figure that no source tells is null, never 0. Awarded matches count with their results, as in tables. Without a finished match the list is empty, with `reason: "no_results"`.',
  tag: 'Catalogue',
  params: idParams,
  query: z.object({
    format,
    season: idParam.optional().meta({ description: 'Only this season' }),
    tournament: idParam.optional().meta({ description: 'Only seasons of this tournament' }),
  }),
  csv: 'statistics',
  response: schema.statistics,
  handler: async ({ params, query: { format: _, ...query }, access }, deps) => {
    const { id } = await requireParticipant(deps, params.id);
    const { list, ...career } = await listStatistics(deps.pool, id, { ...query, access });
    const reason = list.length === 0 && { reason: 'no_results' as const };
    return { body: { participant_id: id, count: list.length, statistics: list, ...career, ...reason } };
  },
});

const squad = route({
  ...common,
  path: '/v1/participant/{id}/squad',
  example: {},
  summary: "A team's squad in a season",
  description:
    'By position and shirt number. The squad has the players that the team has entered for a competition, if a source lists them. Otherwise it has the players who were in a line-up, scored or were carded in a finished match. A club has one squad, with the sum of the figures over all competitions of a season. A national team has a squad for each competition, so that qualifying and finals are separate. `season` or `tournament` selects the competition; default: the most important one of the season. If no source names players, the squad is empty, with `reason: "no_players"`.',
  tag: 'Catalogue',
  params: idParams,
  query: z.object({
    format,
    season_label: text(1, 20)
      .optional()
      .meta({
        description: 'As in `season_labels`; default: the newest season with known players',
        examples: ['2023/24'],
      }),
    season: idParam.optional().meta({ description: 'Only this season of a competition, as in `competitions`' }),
    tournament: idParam.optional().meta({ description: 'Only this competition; the default season is its newest' }),
  }),
  csv: 'squad',
  response: schema.squad,
  handler: async ({ params, query: { format: _, ...query }, access }, deps) => {
    const { id, type } = await requireParticipant(deps, params.id);
    if (type !== 'team') throw new Problem('not_found', `Participant ${params.id} is a ${type} and has no squad.`);
    const found = await readSquad(deps.pool, id, query, access);
    if (found === null) {
      const asked = query.season_label ?? query.season;
      const within = [asked !== undefined && `season ${asked}`, query.tournament && `tournament ${query.tournament}`];
      throw new Problem(
        'not_found',
        `No players of team ${id} are known in the ${within.filter(Boolean).join(' of ')}.`,
      );
    }
    const { squad, ...season } = found;
    const reason = squad.length === 0 && { reason: 'no_players' as const };
    return { body: { participant_id: id, ...season, count: squad.length, squad, ...reason } };
  },
});

const leaders = route({
  ...common,
  path: '/v1/tournament/{id}/leaders',
  example: { stat: 'assists', limit: '2' },
  summary: "A season's leading players by a figure",
  description:
    'Counts finished matches, and lists only players whose value is known and above 0. `clean_sheets` lists goalkeepers. In cricket, the list by `batting_average` or `strike_rate` has players with at least 8 balls faced for each match of the team, and the list by `bowling_average` or `economy`, which begins with the lowest, those with at least 6 balls bowled. `/v1/tournament/{id}/scorers` also counts goals in live matches. An empty list comes with a `reason`, and with the latest season that has leaders.',
  tag: 'Competitions',
  params: idParams,
  query: z.object({
    format,
    stat: oneValue(STATS)
      .optional()
      .meta({ description: "Default: the sport's first figure, `goals` or (in cricket) `runs`" }),
    season: idParam.optional().meta({ description: 'Season id; default: the current season' }),
    limit: limit(50, 500),
  }),
  csv: 'leaders',
  response: schema.leaders,
  handler: async ({ params, query: { stat: wanted, season, limit: most } }, deps) => {
    const { sport, tournament_id, season_id, season_label } = await requireSeason(deps, params.id, season);
    const stat = wanted ?? firstStat(sport);
    const head = { tournament_id, season_id, season_label, stat };
    const { leaders, hasResults } =
      season_id === null ? { leaders: [], hasResults: false } : await seasonLeaders(deps, season_id, stat, most);
    const reply = { ...head, count: leaders.length, leaders };
    if (leaders.length > 0) return { body: reply };
    const reason = hasResults ? 'unknown' : 'no_results';
    return {
      body: { ...reply, reason, latest_season_with_leaders: await latestWithLeaders(deps, tournament_id, stat, most) },
    };
  },
});

/**
 * Returns the id of the latest season with leaders by a figure. Null if none of the three newest candidates has
 * leaders.
 */
async function latestWithLeaders(deps: Deps, tournamentId: number, stat: Stat, most: number): Promise<number | null> {
  for (const id of await seasonsWithPlayers(deps.pool, tournamentId, stat))
    if ((await seasonLeaders(deps, id, stat, most)).leaders.length > 0) return id;
  return null;
}

const missing = route({
  ...common,
  path: '/v1/participant/{id}/missing',
  example: {},
  summary: "A team's injured and suspended players, or whether a player is injured or suspended",
  description:
    'From the card of the next match that lists missing players. If there is none, from the last match that lists them. For a player: the entries about this player in the cards of the teams for which the player appeared in the last 400 days.',
  tag: 'Catalogue',
  params: idParams,
  response: schema.missing,
  handler: async ({ params, access }, deps) => {
    const participant = await requireParticipant(deps, params.id);
    const found = await readMissing(deps.pool, participant, new Date(deps.clock.now()), access);
    return { body: { participant_id: participant.id, ...found, count: found.missing.length } };
  },
});

const missingOfTournament = route({
  ...common,
  path: '/v1/tournament/{id}/missing',
  example: {},
  summary: 'Injured and suspended players of all teams in a season',
  description:
    'For each team, from the card of its next match in the season that lists missing players. If there is none, from the last such match: `cards` tells when it is.',
  tag: 'Competitions',
  params: idParams,
  query: z.object({ season: idParam.optional().meta({ description: 'Season id; default: the current season' }) }),
  response: schema.missingOfSeason,
  handler: async ({ params, query }, deps) => {
    const { tournament_id, season_id, season_label } = await requireSeason(deps, params.id, query.season);
    const found =
      season_id === null
        ? { cards: [], missing: [] }
        : await readMissingOfSeason(deps.pool, season_id, new Date(deps.clock.now()));
    return { body: { tournament_id, season_id, season_label, ...found, count: found.missing.length } };
  },
});

export const routes: Route[] = [statistics, squad, missing, missingOfTournament, leaders];
