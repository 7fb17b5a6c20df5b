/**
 * Reads the games of the CRAN package NHLData: every game of the National Hockey League from 1917/18 to 2015/16. The files
 * have days without times, and mark play-offs without their rounds.
 */
import { splitLabel } from '../../identity/canonical-tournaments.ts';
import { type CodedTeam, dateOnly, isDay } from '../../providers/index.ts';
import { dataRows } from '../../wire/data-file.ts';
import type { MatchInput, MatchUpdateInput } from '../../wire/feed-update.ts';
import { grouped } from '../../wire/grouped.ts';
import { type CsvRow, eachRow, type Row, scorePair } from '../csv.ts';
import { matchUpdate } from '../feed-updates.ts';
import { hockeyResult } from '../hockey-result.ts';
import { fileImporter, type ImportItem, toItem } from '../importer.ts';
import { meetingsInTurn } from '../meetings-in-turn.ts';
import { playOffRounds } from '../play-off-rounds.ts';
import { findClub } from './clubs.ts';

const PROVIDER = 'nhl-data';
const COLUMNS = ['season', 'date', 'home', 'away', 'gf', 'ga', 'ot', 'so', 'tie', 'playoff'];
/** The first season in which a shoot-out decided level games, so that there were no more ties. */
const FIRST_SHOOT_OUT = 2005;

const gameKey = (date: string, home: string, away: string) => `${date}|${home}|${away}`;
/** Special ends of games. */
const ENDS = new Map(
  dataRows('identity/nhl-games.csv', ['date', 'home', 'away', 'status']).map(({ date, home, away, status }) => [
    gameKey(date, home, away),
    status as 'awarded' | 'abandoned',
  ]),
);

interface Game {
  position: string;
  observedAt: string;
  date: string;
  /** Year in which the season begins. */
  season: number;
  home: string;
  away: string;
  clubs: { home: CodedTeam; away: CodedTeam };
  isPlayOff: boolean;
  result: Partial<MatchInput>;
  /** The result as the file has it, to compare rows about the same game. */
  written: string;
}

export const nhlData = fileImporter({
  format: 'nhl-data',
  provider: PROVIDER,
  description: 'NHLData (CRAN): results of the NHL from 1917/18 to 2015/16, nhl_*.csv',
  expected: 'files like nhl_1917-1979.csv',
  accepts: ({ name }) => /^nhl_(?!elo).*\.csv$/iu.test(name),
  async *readFiles(files) {
    const games: Game[] = [];
    const known = new Map<string, Game>();
    for (const file of files)
      yield* eachRow(file, COLUMNS, (row) => {
        const game = readGame(row, file.observedAt);
        if (typeof game === 'string') return game;
        const clash = findClash(game, known);
        if (clash === undefined) games.push(game);
        return clash;
      });
    yield* items(games);
  },
});

/** Returns why a game contradicts earlier rows. @param known earlier games by day and side */
function findClash(game: Game, known: Map<string, Game>): string | undefined {
  const keys = [game.home, game.away].map((side) => `${game.date}|${side}`);
  const others = keys.flatMap((key) => known.get(key) ?? []);
  for (const other of others) {
    if (other.home !== game.home || other.away !== game.away)
      return `a side already plays in ${other.position} on this day`;
    if (other.written !== game.written) return `contradicts the result in ${other.position}`;
  }
  for (const key of keys) if (!known.has(key)) known.set(key, game);
  return undefined;
}

function* items(games: readonly Game[]): Generator<ImportItem> {
  const rounds = new Map<string, string>();
  const toId = ({ date, home, away }: Game) => `${date}/${home}/${away}`;
  for (const [season, own] of grouped(
    games.filter(({ isPlayOff }) => isPlayOff),
    (game) => game.season,
  )) {
    const once = [...new Map(own.map((game) => [toId(game), game])).values()];
    for (const [index, name] of playOffRounds('NHL', season, once).entries()) rounds.set(toId(once[index]!), name);
  }
  for (const game of meetingsInTurn(games, ({ season, home, away }) => `${season}|${home}|${away}`))
    yield toItem(game.position, toUpdate(game, toId(game), rounds.get(toId(game))));
}

const toUpdate = (game: Game, id: string, round: string | undefined): MatchUpdateInput =>
  matchUpdate(PROVIDER, game, {
    id,
    sport: 'ice-hockey',
    tournament: { name: 'NHL', country: 'US', gender: 'men' },
    season: { label: splitLabel(game.season) },
    ...game.clubs,
    ...dateOnly(game.date),
    ...(round !== undefined && { round_name: round }),
    ...game.result,
  });

const FLAGS = new Map([
  ['Y', true],
  ['N', false],
  ['', false],
]);

function readGame({ row, position }: CsvRow, observedAt: string): Game | string {
  const { date = '', home = '', away = '' } = row;
  if (!isDay(date)) return `${JSON.stringify(date)} is not a date`;
  if (row.playoff === undefined) return 'the row ends before its last column';
  const season = readSeason(row.season ?? '', date);
  if (typeof season === 'string') return season;
  const clubs = { home: findClub(home, season), away: findClub(away, season) };
  for (const side of ['home', 'away'] as const)
    if (clubs[side] === undefined)
      return `the team ${JSON.stringify(row[side])} is not known; add it to data/identity/nhl-clubs.csv`;
  if (clubs.home!.name === clubs.away!.name) return `${home} cannot play itself`;
  const flags = (['ot', 'so', 'tie', 'playoff'] as const).map((name) => FLAGS.get(row[name] ?? ''));
  const [overtime, shootOut, tie, isPlayOff] = flags;
  if (flags.includes(undefined)) return 'the columns ot, so, tie and playoff must be Y or N';
  const result = readResult(row, season, { overtime: overtime!, shootOut: shootOut!, tie: tie! });
  if (typeof result === 'string') return result;
  const written = [row.gf, row.ga, overtime, shootOut].join();
  const sides = { home: clubs.home!, away: clubs.away! };
  return { position, observedAt, date, season, home, away, clubs: sides, isPlayOff: isPlayOff!, result, written };
}

function readSeason(written: string, date: string): number | string {
  const year = Number(/^(\d{4})-\d\d$/u.exec(written)?.[1]);
  if (Number.isNaN(year) || splitLabel(year) !== written.replace('-', '/'))
    return `${JSON.stringify(written)} is not a season such as 1999-00`;
  if (date < `${year}-07-01` || date >= `${year + 1}-07-01`) return `the day ${date} is not in the season ${written}`;
  return year;
}

function readResult(
  row: Row,
  season: number,
  { overtime, shootOut, tie }: { overtime: boolean; shootOut: boolean; tie: boolean },
): Partial<MatchInput> | string {
  const score = scorePair(row.gf, row.ga);
  if (score === undefined) return `${JSON.stringify(`${row.gf}:${row.ga}`)} is not a score`;
  const end = ENDS.get(gameKey(row.date!, row.home!, row.away!));
  // Three level games of play-offs lack the mark of a tie.
  if (tie && score.home !== score.away) return `${row.gf}:${row.ga} is not a tie`;
  if (end === undefined && season >= FIRST_SHOOT_OUT && score.home === score.away)
    return `${row.gf}:${row.ga} is level, but there have been no ties since 2005/06`;
  if (shootOut && season < FIRST_SHOOT_OUT) return 'there were no shoot-outs before 2005/06';
  if (end !== undefined) return { status: 'finished', status_detail: end, score };
  return hockeyResult(score, { overtime, shootOut });
}
