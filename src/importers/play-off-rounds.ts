/**
 * Names play-off rounds for sources that only mark a game as a play-off. Uses the games and
 * data/identity/play-off-rounds.csv.
 */
import { dataRows } from '../wire/data-file.ts';
import { grouped } from '../wire/grouped.ts';

const ROUNDS = dataRows('identity/play-off-rounds.csv', ['league', 'from', 'until', 'round', 'series', 'single']).map(
  ({ series, from, until, ...row }) => ({
    ...row,
    from: Number(from),
    until: until === '' ? Number.POSITIVE_INFINITY : Number(until),
    series: Number(series),
  }),
);

export interface PlayOffGame {
  /** YYYY-MM-DD. */
  date: string;
  home: string;
  away: string;
}

/** Two sides' games in a play-off. Two sides meet in only one series of a season. */
interface Series {
  sides: readonly [string, string];
  /** Oldest first. */
  games: readonly PlayOffGame[];
}

/**
 * Names each game's round, such as "Final, Game 3".
 * @param league as in the file
 * @param season year in which the season begins
 * @param games all play-off games of one season, each once, in any order
 * @returns the names in the order of `games`; only "Play-offs" while the games do not show the round
 */
export function playOffRounds(league: string, season: number, games: readonly PlayOffGame[]): string[] {
  const rounds = ROUNDS.filter((row) => row.league === league && season >= row.from && season <= row.until);
  const played = listSeries(games);
  const isWhole = played.length === rounds.reduce((sum, { series }) => sum + series, 0);
  const names = new Map<PlayOffGame, string>();
  for (const one of played) {
    const index = isWhole ? rounds.length - 1 - seriesAfter(one, played) : roundSoFar(one, played, rounds);
    const round = rounds[index];
    for (const [number, game] of one.games.entries())
      names.set(
        game,
        round === undefined ? 'Play-offs' : `${round.round}${round.single ? '' : `, Game ${number + 1}`}`,
      );
  }
  return games.map((game) => names.get(game)!);
}

const byDate = (a: PlayOffGame, b: PlayOffGame) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0);

/** Returns the series in the order of their first games. */
const listSeries = (games: readonly PlayOffGame[]): Series[] =>
  [...grouped(games.toSorted(byDate), ({ home, away }) => [home, away].sort().join('|')).values()].map((own) => ({
    sides: [own[0].home, own[0].away],
    games: own,
  }));

/** Returns how many series follow one on the way to the final. Whoever plays a later series has won this one. */
function seriesAfter(one: Series, played: readonly Series[]): number {
  const next = played
    .slice(played.indexOf(one) + 1)
    .find(({ sides }) => sides.some((side) => one.sides.includes(side)));
  return next === undefined ? 0 : 1 + seriesAfter(next, played);
}

/** Returns a series' round in unfinished play-offs: −1 if sides enter in different rounds, so that it is not known yet. */
function roundSoFar(one: Series, played: readonly Series[], rounds: readonly { series: number }[]): number {
  const halves = rounds.every(({ series }, index) => index === 0 || series * 2 === rounds[index - 1]!.series);
  if (!halves) return -1;
  const before = played
    .slice(0, played.indexOf(one))
    .filter(({ sides }) => sides.some((side) => one.sides.includes(side)));
  return Math.max(-1, ...before.map((series) => roundSoFar(series, played, rounds))) + 1;
}
