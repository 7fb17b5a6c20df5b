/**
 * Reads the files of Elo forecasts by FiveThirtyEight, nhl_elo*.csv and nba_elo*.csv, and the same for the WNBA by N. Paine,
 * wnba*.csv. The files have days without times. Their ratings and probabilities are not imported, because this service computes
 * its own; `eloForecasts` and `eloRatings` read them for a comparison.
 */

import { dateOnly } from '../../providers/index.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { grouped } from '../../wire/grouped.ts';
import { type CsvRow, eachRow } from '../csv.ts';
import { matchUpdate } from '../feed-updates.ts';
import { type FileError, ImportError, type InputFile, inputFiles, type Meter } from '../files.ts';
import { type Importer, type ImportItem, toItem } from '../importer.ts';
import { meetingsInTurn } from '../meetings-in-turn.ts';
import { CUP, type EloGame, type EloLeague, LEAGUES } from './leagues.ts';
import { nameRounds } from './rounds.ts';

const EXPECTED = 'nhl_elo_latest.csv, nba_elo_latest.csv or wnba_elo.csv';

/** A game with its league. */
interface Listed {
  league: EloLeague;
  game: EloGame;
  position: string;
  observedAt: string;
}

export const fivethirtyeightElo: Importer = {
  format: 'fivethirtyeight-elo',
  provider: 'fivethirtyeight-elo',
  description: "FiveThirtyEight's nhl_elo*.csv and nba_elo*.csv, and wnba*.csv by N. Paine: results",
  async *read(path, meter) {
    const games: Listed[] = [];
    yield* readGames(path, games, meter);
    yield* items(games);
  },
};

export interface EloForecasts {
  name: string;
  provider: string;
  /** The home side's probability to win, by the provider's match id. */
  expected: Map<string, number>;
}

/**
 * Reads the home sides' probabilities to win, for comparison with ours.
 * @returns one list for each provider
 * @throws ImportError if `path` has no such file
 */
export async function eloForecasts(path: string): Promise<EloForecasts[]> {
  const games = await listGames(path);
  return [...grouped(games, ({ league }) => league.provider)].map(([provider, own]) => ({
    name: own[0].league.author,
    provider,
    expected: new Map(
      own.flatMap(({ league, game }) => (game.forecast === undefined ? [] : [[toId(league, game), game.forecast]])),
    ),
  }));
}

export interface SeasonRatings {
  /** Whose ratings they are. */
  name: string;
  provider: string;
  sport: string;
  /** Tournament and season, such as "NBA 2022/23". */
  title: string;
  /** Each team's last game in the season, by the provider's match id, with the rating after it. */
  last: { match: string; side: 'home' | 'away'; rating: number }[];
}

/**
 * Reads the teams' ratings at the end of each season, for comparison with ours.
 * @throws ImportError if `path` has no such file
 */
export async function eloRatings(path: string): Promise<SeasonRatings[]> {
  const games = (await listGames(path)).filter(({ game }) => game.ratings && game.tournament !== CUP);
  const seasons = grouped(games, ({ league, game }) => `${league.name} ${league.label(game.season)}`);
  return [...seasons].map(([title, own]) => {
    const last = new Map<string, SeasonRatings['last'][number]>();
    for (const { league, game } of own.toSorted((a, b) => (a.game.date < b.game.date ? -1 : 1)))
      for (const side of ['home', 'away'] as const)
        last.set(game[side].name, { match: toId(league, game), side, rating: game.ratings![side] });
    const { author, provider, sport } = own[0].league;
    return { name: author, provider, sport, title, last: [...last.values()] };
  });
}

async function listGames(path: string): Promise<Listed[]> {
  const games: Listed[] = [];
  for await (const { detail } of readGames(path, games))
    if (detail.startsWith('not the expected columns')) throw new ImportError(`${path}: ${detail}`);
  return games;
}

/** Adds the games of all files to `into`, because rounds can be named only once all games are known. Yields faults. */
async function* readGames(path: string, into: Listed[], meter?: Meter): AsyncGenerator<FileError> {
  const findLeague = ({ name }: InputFile) => LEAGUES.find(({ file }) => file.test(name));
  const known = new Map<string, Listed>();
  for (const file of await inputFiles(path, EXPECTED, (one) => findLeague(one) !== undefined, meter)) {
    const league = findLeague(file)!;
    yield* eachRow(file, league.columns, (row) => {
      const found = readListed(row, league, file);
      if (typeof found === 'string') return found;
      const clash = findClash(found, known);
      if (clash === undefined) into.push(found);
      return clash;
    });
  }
}

function readListed({ row, position }: CsvRow, league: EloLeague, { observedAt }: InputFile): Listed | string {
  const game = league.read(row);
  return typeof game === 'string' ? game : { league, game, position, observedAt };
}

/** Returns why a game contradicts an earlier row. @param known earlier games by league, day and side */
function findClash(listed: Listed, known: Map<string, Listed>): string | undefined {
  const { league, game } = listed;
  const keys = [game.home, game.away].map(({ name }) => `${league.name}|${game.date}|${name}`);
  for (const key of keys) {
    const other = known.get(key);
    if (other === undefined) continue;
    if (other.game.home.name !== game.home.name || other.game.away.name !== game.away.name)
      return `a side already plays in ${other.position} on this day`;
    if (other.game.result && game.result && JSON.stringify(other.game.result) !== JSON.stringify(game.result))
      return `contradicts the result in ${other.position}`;
  }
  for (const key of keys) if (!known.has(key)) known.set(key, listed);
  return undefined;
}

const toId = (league: EloLeague, { date, home, away }: EloGame) =>
  `${league.name}/${date}/${home.id ?? home.name}/${away.id ?? away.name}`;

function* items(games: readonly Listed[]): Generator<ImportItem> {
  const rounds = new Map<EloGame, string>();
  for (const own of grouped(games, ({ league, game }) => `${league.name}|${game.season}`).values()) {
    const once = [...new Map(own.map((one) => [toId(one.league, one.game), one.game])).values()];
    const named = nameRounds(own[0].league, once);
    const byId = new Map(once.map((game) => [toId(own[0].league, game), named.get(game)]));
    for (const { league, game } of own) {
      const round = byId.get(toId(league, game));
      if (round !== undefined) rounds.set(game, round);
    }
  }
  const pairing = ({ game: { season, tournament, home, away } }: Listed) =>
    `${tournament}|${season}|${home.name}|${away.name}`;
  for (const listed of meetingsInTurn(games, pairing))
    yield toItem(listed.position, toUpdate(listed, rounds.get(listed.game)));
}

function toUpdate(listed: Listed, round: string | undefined): MatchUpdateInput {
  const { league, game } = listed;
  return matchUpdate(league.provider, listed, {
    id: toId(league, game),
    sport: league.sport,
    tournament: { name: game.tournament, country: 'US', gender: league.gender },
    season: { label: league.label(game.season) },
    home: game.home,
    away: game.away,
    ...dateOnly(game.date),
    ...(game.neutral && { neutral: true }),
    ...(round !== undefined && { round_name: round }),
    ...game.result,
  });
}
