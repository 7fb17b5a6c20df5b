/** Converts a game to a feed update. */
import { count, present, type Statistic } from '../../providers/index.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { matchUpdate } from '../feed-updates.ts';
import type { Stage } from './finals.ts';
import { type Game, toPoints } from './game.ts';

export const AFL_TABLES = 'afl-tables';
/** Until this season, the league put every final on a ground of its choice. Since then, only the Grand Final. */
const LAST_NEUTRAL_FINALS = 1990;
/** Since this season, the league calls the first round the Opening Round, and counts from the second one. The file counts all. */
const FIRST_OPENING_ROUND = 2024;

/** @param stage undefined for a home-and-away round */
export function toUpdate(game: Game, id: string, stage: Stage | undefined): MatchUpdateInput {
  const { season, round, start, venue, home, away } = game;
  const isFinal = typeof round !== 'number';
  return matchUpdate(AFL_TABLES, game, {
    id,
    sport: 'aussie-rules',
    tournament: { name: 'AFL', country: 'AU', gender: 'men' },
    season: { label: String(season) },
    home: { ...home.team, country: 'AU' },
    away: { ...away.team, country: 'AU' },
    scheduled_start: start,
    time_tbd: false,
    neutral: isFinal && (season <= LAST_NEUTRAL_FINALS || round === 'Grand Final'),
    ...(stage === undefined
      ? readMatchday(round as number, season)
      : { round_name: stage.round, ...(stage.group !== undefined && { group_name: stage.group }) }),
    ...(venue.name !== '' && {
      venue: { name: venue.name, country: venue.country, ...(venue.city !== '' && { city: venue.city }) },
    }),
    status: 'finished',
    status_detail: game.hasExtraTime ? 'after_extra_time' : 'ended',
    score: { home: home.points, away: away.points },
    period_scores: home.quarters.map((quarter, index) => ({
      period: periodCode(index),
      home: toPoints(quarter),
      away: toPoints(away.quarters[index]!),
    })),
    statistics: [
      ...goalsAndBehinds('ALL', game, ({ total }) => total),
      ...home.quarters.flatMap((_, index) =>
        goalsAndBehinds(periodCode(index), game, ({ quarters }) => quarters[index]!),
      ),
    ],
  });
}

const QUARTERS = 4;
const periodCode = (index: number) => (index < QUARTERS ? `Q${index + 1}` : 'OT');

function readMatchday(written: number, season: number) {
  const round = season >= FIRST_OPENING_ROUND ? written - 1 : written;
  return { round_num: round, round_name: round === 0 ? 'Opening Round' : `Round ${round}` };
}

function goalsAndBehinds(
  period: string,
  { home, away }: Game,
  read: (side: Game['home']) => { goals: number; behinds: number },
): Statistic[] {
  const [ours, theirs] = [read(home), read(away)];
  return [
    count(period, 'Goals', ours.goals, theirs.goals),
    count(period, 'Behinds', ours.behinds, theirs.behinds),
  ].filter(present);
}
