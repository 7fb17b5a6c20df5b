/**
 * FiveThirtyEight's nfl_games.csv: every National Football League game since 1920, with American Football League and
 * All-America Football Conference games. The file has days without times, and no round names. The file's Elo
 * probabilities are not imported, because they are not odds, and this service computes its own rating.
 */

import { dateOnly, isDay, Meetings, turnToOfficialSides } from '../../providers/index.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { grouped } from '../../wire/grouped.ts';
import { type CsvRow, decimal, eachRow, type Row, scorePair } from '../csv.ts';
import { matchUpdate } from '../feed-updates.ts';
import { type FileError, faultAt, ImportError, inputFiles, type Meter } from '../files.ts';
import { type Importer, type ImportItem, toItem } from '../importer.ts';
import { postseasonRounds } from './postseason.ts';
import { type League, leagueIn, teamName } from './teams.ts';

/** A provider of its own, because FiveThirtyEight's football files have a licence of their own. */
const PROVIDER = 'nfl-elo-game';
const COLUMNS = ['date', 'season', 'neutral', 'playoff', 'team1', 'team2', 'score1', 'score2'];
/** Day on which the season changes. Seasons begin in late summer and end by February. */
const TURNS = '-03-01';

interface Game {
  position: string;
  observedAt: string;
  date: string;
  season: number;
  league: League;
  neutral: boolean;
  playoff: boolean;
  team1: string;
  team2: string;
  score: { home: number; away: number } | undefined;
  /** FiveThirtyEight's probability for a home win. */
  forecast: number | undefined;
}

export const nfl: Importer = {
  format: 'nfl',
  provider: PROVIDER,
  description: "FiveThirtyEight's nfl_games*.csv: results of the NFL, the AFL and the AAFC",
  async *read(path, meter) {
    const games = new Games();
    yield* games.read(path, meter);
    yield* games.items();
  },
};

/**
 * Reads the home side's win probabilities by FiveThirtyEight's Elo ratings, for comparison with ours. A tie counts as
 * half a win.
 * @returns probabilities by match id
 * @throws ImportError if `path` has no such file
 */
export async function nflForecasts(path: string) {
  const games = new Games();
  for await (const { detail } of games.read(path))
    if (detail.startsWith('not the expected columns')) throw new ImportError(`${path}: ${detail}`);
  const expected = new Map<string, number>();
  for (const { id, game } of games.identified()) {
    if (game.forecast === undefined) continue;
    const { match } = turnToOfficialSides(toUpdate(game, id, undefined));
    expected.set(id, match.home.id === game.team1 ? game.forecast : 1 - game.forecast);
  }
  return { name: 'FiveThirtyEight', provider: PROVIDER, expected };
}

const byDate = (a: Game, b: Game) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0);

class Games {
  #games: Game[] = [];
  /** The first row about each game, by day and sides. */
  #known = new Map<string, Game>();

  /**
   * Reads the games in all files, because the postseason rounds can be named only once all games are known. Yields
   * faults.
   */
  async *read(path: string, meter?: Meter): AsyncGenerator<FileError> {
    const files = await inputFiles(path, 'nfl_games.csv', ({ name }) => /^nfl_games.*\.csv$/u.test(name), meter);
    for (const file of files) yield* eachRow(file, COLUMNS, (row) => this.#add(row, file.observedAt));
  }

  /** Returns why a row is refused. */
  #add({ row, position }: CsvRow, observedAt: string): string | undefined {
    const game = readGame(row, position, observedAt);
    if (typeof game === 'string') return game;
    const { date, team1, team2, score } = game;
    const key = `${date}|${[team1, team2].sort().join('|')}`;
    const known = this.#known.get(key);
    if (known && known.team1 !== team1) return `has the sides of ${known.position} the other way round`;
    if (known?.score && score && (known.score.home !== score.home || known.score.away !== score.away))
      return `contradicts the score ${known.score.home}:${known.score.away} of ${known.position}`;
    if (!known) this.#known.set(key, game);
    this.#games.push(game);
    return undefined;
  }

  /** Yields the games by date, each with the provider's id. */
  *identified(): Generator<{ id: string; game: Game }> {
    const meetings = new Meetings();
    for (const game of this.#games.sort(byDate)) {
      const { date, season, league, playoff, team1, team2 } = game;
      const pairing = `${league}/${season}/${playoff ? 'playoff/' : ''}${team1}/${team2}`;
      yield { id: pairing + meetings.suffix(pairing, date), game };
    }
  }

  *items(): Generator<ImportItem> {
    const rounds = this.#rounds();
    for (const { id, game } of this.identified()) {
      const { date, position, season, playoff, team1, team2 } = game;
      const round = rounds.get(`${date}|${team1}|${team2}`);
      if (playoff && round === undefined) {
        const detail = `the postseason of ${season} has no place for ${team1} - ${team2}: a game is missing, or listed twice`;
        yield faultAt(position, detail);
      } else yield toItem(position, turnToOfficialSides(toUpdate(game, id, round)));
    }
  }

  #rounds(): Map<string, string | undefined> {
    const played = [...this.#known.values()].filter(({ playoff }) => playoff);
    const found = new Map<string, string | undefined>();
    for (const games of grouped(played, ({ league, season }) => `${league}|${season}`).values()) {
      const [{ league, season }] = games;
      const names = postseasonRounds(league, season, games);
      for (const [index, { date, team1, team2 }] of games.entries())
        found.set(`${date}|${team1}|${team2}`, names[index]);
    }
    return found;
  }
}

function readGame(row: Row, position: string, observedAt: string): Game | string {
  const { date, team1, team2 } = row;
  if (!date || !isDay(date)) return `${JSON.stringify(date ?? '')} is not a date`;
  if (row.score2 === undefined) return 'the row ends before the score';
  const season = readSeason(row.season ?? '', date);
  if (typeof season === 'string') return season;
  for (const code of [team1, team2])
    if (!code || teamName(code) === undefined) return `the team ${JSON.stringify(code ?? '')} is not known`;
  if (team1 === team2) return `${team1} cannot play itself`;
  const neutral = readFlag(row.neutral);
  const playoff = readFlag(row.playoff);
  if (neutral === undefined || playoff === undefined) return 'the columns neutral and playoff must be 0 or 1';
  const league = findLeague(team1!, team2!, season, neutral && playoff);
  if (league === undefined) return `${team1} and ${team2} were not in the same league in ${season}`;
  const score = readScore(row);
  if (typeof score === 'string') return score;
  const forecast = decimal(row.elo_prob1);
  return {
    position,
    observedAt,
    date,
    season,
    league,
    neutral,
    playoff,
    team1: team1!,
    team2: team2!,
    score,
    forecast,
  };
}

function readSeason(written: string, date: string): number | string {
  if (!/^\d{4}$/u.test(written)) return `${JSON.stringify(written)} is not a season: the year in which it begins`;
  const season = Number(written);
  if (date < season + TURNS || date >= season + 1 + TURNS) return `the day ${date} is not in the season ${season}`;
  return season;
}

const readFlag = (cell: string | undefined): boolean | undefined =>
  cell === '1' || cell === '0' ? cell === '1' : undefined;

/**
 * Returns the league to which a game belongs. The first Super Bowls were between the champions of two leagues; the NFL
 * counts them as NFL games.
 */
function findLeague(team1: string, team2: string, season: number, isSuperBowl: boolean): League | undefined {
  const league = leagueIn(team1, season);
  if (league === leagueIn(team2, season)) return league;
  return isSuperBowl ? 'NFL' : undefined;
}

function readScore({ score1, score2 }: Row): Game['score'] | string {
  const written = [score1 ?? '', score2 ?? ''];
  if (written.every((cell) => cell === '' || cell === 'NA')) return undefined;
  return scorePair(score1, score2) ?? `${JSON.stringify(written.join(':'))} is not a score`;
}

function toUpdate(game: Game, id: string, round: string | undefined): MatchUpdateInput {
  const side = (code: string) => ({ id: code, name: teamName(code)!, country: 'US' });
  return matchUpdate(PROVIDER, game, {
    id,
    sport: 'american-football',
    tournament: { name: game.league, country: 'US', gender: 'men' },
    season: { label: String(game.season) },
    home: side(game.team1),
    away: side(game.team2),
    ...dateOnly(game.date),
    neutral: game.neutral,
    ...(round !== undefined && { round_name: round }),
    ...(game.score && { status: 'finished', status_detail: 'ended', score: game.score }),
  });
}
