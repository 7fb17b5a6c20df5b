/**
 * FiveThirtyEight's spi_matches.csv: club results in 37 leagues with expected goals, importance and the source's
 * forecast. The expected goals do not come from our model, so the statistic has a name of its own. Kick-offs are days
 * without times, in United States time.
 */
import {
  type KnownTournament,
  seasonOn,
  tournamentBySource,
  tournamentNamed,
} from '../../identity/canonical-tournaments.ts';
import { dateOnly, isDay, Meetings, type Statistic, statisticRow } from '../../providers/index.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { csvUpdates, decimal, type Row, scorePair } from '../csv.ts';
import { matchUpdate } from '../feed-updates.ts';
import type { InputFile } from '../files.ts';
import { eachFile, fileImporter, type ImportItem } from '../importer.ts';

const PROVIDER = 'fivethirtyeight';

export const fivethirtyeight = fileImporter({
  format: 'fivethirtyeight',
  provider: PROVIDER,
  description: "FiveThirtyEight's spi_matches*.csv: results, expected goals, importance, forecasts",
  expected: 'spi_matches.csv',
  accepts: ({ name }) => /^spi_matches.*\.csv$/u.test(name),
  readFiles: eachFile(readFile),
});

function readFile(file: InputFile): AsyncGenerator<ImportItem> {
  const meetings = new Meetings();
  return csvUpdates(file, ['date', 'league_id', 'team1', 'team2', 'score1', 'score2'], ({ row }) => {
    const league = tournamentBySource(PROVIDER, row.league_id ?? '');
    return league
      ? readMatch(row, league, file, meetings)
      : `the league ${row.league_id} (${row.league}) is not known; add it to tournaments.yaml`;
  });
}

function readMatch(row: Row, league: KnownTournament, file: InputFile, meetings: Meetings): MatchUpdateInput | string {
  const { date, team1, team2 } = row;
  if (!date || !isDay(date)) return `${JSON.stringify(date)} is not a date`;
  if (!team1 || !team2) return 'a side has no name';
  if (row.score2 === undefined) return 'the row ends before the score';
  const written = [row.score1, row.score2];
  const isPlayed = written.some((cell) => cell !== '' && cell !== 'NA');
  const score = scorePair(row.score1, row.score2);
  if (isPlayed && !score) return `${JSON.stringify(written.join(':'))} is not a score`;
  const season = seasonOn(league, date);
  const pairing = `${row.league_id}/${season}/${team1}/${team2}`;
  const met = league.single_meeting ? `${row.league_id}/${season}/${[team1, team2].sort().join('/')}` : pairing;
  const suffix = meetings.suffix(pairing, date);
  const again = meetings.suffix(`${met}|`, `${date}|${team1}`) !== '';
  const tournament = findPlayOffs(league, date, again) ?? league;
  const country = league.country;
  const importance = Math.max(decimal(row.importance1) ?? -1, decimal(row.importance2) ?? -1);
  const forecast = [row.prob1, row.probtie, row.prob2].map(decimal);
  return matchUpdate(PROVIDER, file, {
    id: pairing + suffix,
    sport: 'football',
    tournament: { name: tournament.name, country, gender: tournament.gender },
    season: { label: season },
    home: { name: team1, country },
    away: { name: team2, country },
    ...dateOnly(date),
    ...(score && { status: 'finished', status_detail: 'ended', score }),
    ...(importance >= 0 && { importance: matchImportance(league, importance) }),
    ...(forecast.every((chance) => chance !== undefined) && { win_probability: toPercent(forecast) }),
    ...readStatistics(row),
  });
}

/**
 * Returns the play-offs to which a match belongs, or undefined. A match belongs to play-offs if it is on a listed
 * play-off day, or if the same pairing has been played before.
 */
function findPlayOffs(league: KnownTournament, day: string, again: boolean): KnownTournament | undefined {
  for (const [name, windows] of Object.entries(league.windows_to)) {
    if (windows.some(([from, to]) => day >= from && day <= to)) return tournamentNamed(name, league);
  }
  return again && league.repeated ? tournamentNamed(league.repeated, league) : undefined;
}

/** The most important match gets the league's importance and this share of the distance from it to 100. */
const MOST_RAISED = 0.5;

/**
 * Returns our importance for a match. The source's importance measures how much a match changes a side's season. Our
 * importance is never below the league's.
 */
function matchImportance(league: KnownTournament, theirs: number): number {
  return Math.round(league.importance + (100 - league.importance) * MOST_RAISED * (Math.min(theirs, 100) / 100));
}

const toPercent = ([home, draw, away]: readonly (number | undefined)[]) => {
  const percent = (chance: number | undefined) => Number(((chance ?? 0) * 100).toFixed(2));
  return { homeWin: percent(home), draw: percent(draw), awayWin: percent(away) };
};

const FIGURES = [
  ['Expected goals (FiveThirtyEight)', 'xg1', 'xg2'],
  ['Non-shot expected goals (FiveThirtyEight)', 'nsxg1', 'nsxg2'],
] as const;

function readStatistics(row: Row): { statistics?: Statistic[] } {
  const statistics = FIGURES.flatMap(([name, home, away]): Statistic[] => {
    const [first, second] = [decimal(row[home]), decimal(row[away])];
    if (first === undefined || second === undefined) return [];
    const shown = (value: number) => ({ value, text: value.toFixed(2) });
    return [statisticRow(['ALL', 'FiveThirtyEight', name], shown(first), shown(second))];
  });
  return statistics.length > 0 ? { statistics } : {};
}
