/**
 * international-results: the results of national teams since 1872, with scorers and shoot-outs in adjacent files.
 * Matches have days but no kick-off times, and towns but no stadiums. Shoot-outs have winners but no scores.
 */
import { dirname } from 'node:path';
import { type KnownTournament, seasonOn, tournamentBySource } from '../../identity/canonical-tournaments.ts';
import { nationTeam } from '../../identity/merges.ts';
import { countGoals, dateOnly, isDay, isSameScore, Meetings, turnToOfficialSides } from '../../providers/index.ts';
import { goalIncidents } from '../../providers/openfootball/index.ts';
import type { MatchInput, MatchUpdateInput } from '../../wire/feed-update.ts';
import { csvUpdates, integer, type Row, scorePair } from '../csv.ts';
import { matchUpdate } from '../feed-updates.ts';
import { type InputFile, inputFiles } from '../files.ts';
import { fileImporter, type ImportItem } from '../importer.ts';
import { JoinedTables } from '../joined-tables.ts';

const PROVIDER = 'international-results';

export const internationalResults = fileImporter({
  format: 'international-results',
  provider: PROVIDER,
  description: 'martj42/international_results: results.csv, with goalscorers.csv and shootouts.csv beside it',
  expected: 'results.csv',
  accepts: ({ name }) => name === 'results.csv',
  async *readFiles(files) {
    for (const file of files) {
      const beside = async (name: string) =>
        (await inputFiles(dirname(file.path), name, (one) => one.name === name, file.meter).catch(() => []))[0];
      const tables = new JoinedTables<Beside>();
      for (const name of BESIDE) {
        const table = await beside(`${name}.csv`);
        if (table) yield* tables.load(name, table, COLUMNS[name], matchKey);
      }
      yield* readResults(file, tables);
    }
  },
});

/** Tables besides the results, with their required columns. */
const COLUMNS = {
  goalscorers: ['date', 'home_team', 'away_team', 'team', 'scorer', 'minute'],
  shootouts: ['date', 'home_team', 'away_team', 'winner'],
};
const BESIDE = ['goalscorers', 'shootouts'] as const;
type Beside = (typeof BESIDE)[number];

const matchKey = (row: Row) => `${row.date}|${row.home_team}|${row.away_team}`;

async function* readResults(file: InputFile, tables: JoinedTables<Beside>): AsyncGenerator<ImportItem> {
  const meetings = new Meetings();
  const keys = new Set<string>();
  const required = ['date', 'home_team', 'away_team', 'home_score', 'away_score', 'tournament'];
  yield* csvUpdates(file, required, ({ row, position }) => {
    const key = matchKey(row);
    keys.add(key);
    const [shootout] = tables.of('shootouts', key);
    const { winner } = shootout ?? {};
    const faults =
      winner && sideNamed(row, winner) === null
        ? [`${JSON.stringify(winner)} won the shoot-out, and is neither side`]
        : [];
    const read = readMatch(row, file, tables.of('goalscorers', key), shootout);
    if (typeof read === 'string') return [...faults, read];
    read.match.id += meetings.suffix(read.match.id, position);
    return [...faults, turnToOfficialSides(read)];
  });
  yield* tables.strays(BESIDE, keys, file);
}

function readMatch(
  row: Row,
  file: InputFile,
  goals: readonly Row[],
  shootout: Row | undefined,
): MatchUpdateInput | string {
  const { date, home_team, away_team, tournament: title } = row;
  if (!date || !isDay(date)) return `${JSON.stringify(date)} is not a date`;
  if (!home_team || !away_team) return 'a side has no name';
  if (!title) return 'the row ends before the tournament';
  const { tournament, season } = findTournament(title, date);
  const state = readState(row, goals, shootout);
  if (typeof state === 'string') return state;
  return matchUpdate(PROVIDER, file, {
    id: `${date}/${home_team}/${away_team}`,
    sport: 'football',
    tournament: { name: tournament.name, country: tournament.country, gender: tournament.gender },
    season: { label: season },
    home: national(home_team),
    away: national(away_team),
    ...dateOnly(date),
    ...parseNeutral(row),
    ...state,
  });
}

/** Some copies of the data set lack the column. */
const parseNeutral = ({ neutral }: Row) =>
  neutral === 'TRUE' || neutral === 'FALSE' ? { neutral: neutral === 'TRUE' } : {};

const national = (name: string) => ({ name, country: nationTeam(name)?.country ?? 'INT' });

const tournaments = new Map<string, Pick<KnownTournament, 'name' | 'country' | 'gender'>>();

/**
 * A tournament that is missing from our list counts as international. It has the name in the file, and one season a
 * year.
 */
function findTournament(title: string, day: string) {
  const known = tournamentBySource(PROVIDER, title);
  if (known) return { tournament: known, season: seasonOn(known, day) };
  let tournament = tournaments.get(title);
  if (!tournament) {
    tournament = { name: title, country: 'INT', gender: 'men' };
    tournaments.set(title, tournament);
  }
  return { tournament, season: day.slice(0, 4) };
}

/** Returns the side with this name, or null if neither side has it. */
const sideNamed = ({ home_team, away_team }: Row, name: string | undefined): 'home' | 'away' | null =>
  name === home_team ? 'home' : name === away_team ? 'away' : null;

/** Scores are after extra time. Goals after the 90th minute prove that extra time was played. */
function readState(row: Row, goals: readonly Row[], shootout: Row | undefined): Partial<MatchInput> | string {
  const written = [row.home_score, row.away_score];
  if (written.every((cell) => cell === '' || cell === 'NA')) return {};
  const score = scorePair(row.home_score, row.away_score);
  if (!score) return `${JSON.stringify(written.join(':'))} is not a score`;
  const winner = shootout && sideNamed(row, shootout.winner);
  const scorers = goals.flatMap((goal) => {
    const minute = integer(goal.minute);
    if (minute === undefined || !goal.scorer || goal.scorer === 'NA') return [];
    return {
      side: goal.team === row.home_team ? ('home' as const) : ('away' as const),
      name: goal.scorer,
      minute,
      plus: null,
      goal_type:
        goal.own_goal === 'TRUE'
          ? ('own_goal' as const)
          : goal.penalty === 'TRUE'
            ? ('penalty' as const)
            : ('regular' as const),
    };
  });
  const extraTime = scorers.some(({ minute }) => minute > 90);
  // An incomplete list of scorers would contradict the score, so it is left out.
  const complete = scorers.length > 0 && isSameScore(countGoals(scorers), score);
  return {
    status: 'finished',
    status_detail: shootout ? 'after_penalties' : extraTime ? 'after_extra_time' : 'ended',
    score,
    ...(winner && { shootout_winner: winner }),
    ...(complete && { incidents: goalIncidents(scorers) }),
  };
}
