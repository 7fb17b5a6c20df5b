/**
 * openfootball's Football.TXT: fixtures and results in plain text, with scorers and line-ups in some files (Champions
 * League, Euro, Russia). A file's title names the league. A day without a year takes the year from the days before.
 */
import { foldName } from '../../db/fold-name.ts';
import { type KnownTournament, knownTournaments, tournamentOfRound } from '../../identity/canonical-tournaments.ts';
import { dateOnly, ListedGroups, localToUtc, Meetings, readRound, turnToOfficialSides } from '../../providers/index.ts';
import { findTeam, readState, seasonOfTitle } from '../../providers/openfootball/index.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { matchUpdate } from '../feed-updates.ts';
import { type FileError, faultAt, type InputFile, reason, wholeText } from '../files.ts';
import { fileImporter, type ImportItem, toItem } from '../importer.ts';
import { readGoalLine, readLineup, withStates } from './details.ts';
import { readHeader, type TextGrounds } from './header.ts';
import { type TextEntry, textEntries } from './lines.ts';

const PROVIDER = 'openfootball-text';

export const footballTxt = fileImporter({
  format: 'football-txt',
  provider: PROVIDER,
  description: "openfootball's Football.TXT: cl.txt, euro.txt, 2024-25_ru1.txt and their like",
  expected: 'Football.TXT files',
  accepts: ({ name, folder }) =>
    name.endsWith('.txt') && folder !== 'squads' && !/\.(clubs|stadiums|players|leagues)\.txt$/u.test(name),
  async *readFiles(files) {
    const fixtures = new Map<string, string>();
    for (const file of files) yield* readFile(file, fixtures);
  },
});

/** Returns the tournament with this name or alias in any country, because titles spell out the country. */
function tournamentByTitle(title: string): KnownTournament | undefined {
  const folded = foldName(title);
  const found = knownTournaments().all.filter(
    (entry) => entry.sources.openfootball && [entry.name, ...entry.aliases].some((name) => foldName(name) === folded),
  );
  return found.length === 1 ? found[0] : undefined;
}

type TextMatch = Exclude<TextEntry, { fault: string }>;

interface Context {
  file: InputFile;
  title: string;
  tournament: KnownTournament;
  /** Prefix for match ids. */
  code: string;
  season: string;
  grounds: TextGrounds;
  meetings: Meetings;
  groups: ListedGroups;
}

/**
 * @param fixtures the fixtures that were read so far, with their files' titles. Needed because one Russian league file
 *   exists twice
 */
async function* readFile(file: InputFile, fixtures: Map<string, string>): AsyncGenerator<ImportItem> {
  const fault = (line: number, detail: string): FileError => faultAt(`${file.path}:${line}`, detail);
  let text: string;
  try {
    text = await wholeText(file);
  } catch (error) {
    yield { ...fault(1, `cannot be read: ${reason(error)}`), endsFile: true };
    return;
  }
  const context = readTitle(text, file);
  if (typeof context === 'string') {
    yield { ...fault(1, context), endsFile: true };
    return;
  }
  let repeated: string | undefined;
  for (const entry of textEntries(text, seasonOfTitle(context.title)!)) {
    if ('fault' in entry) {
      yield fault(entry.line, entry.fault);
      continue;
    }
    const update = toUpdate(entry, context);
    repeated ??= repeats(update, context.title, fixtures);
    if (repeated !== undefined) {
      yield fault(entry.line, `left out: from here on the file repeats the matches of ${repeated}`);
      continue;
    }
    yield toItem(`${file.path}:${entry.line}`, turnToOfficialSides(withDetails(update, entry.details)));
  }
  yield* context.groups.faults();
}

/** Returns the information in title and header, or an error text. */
function readTitle(text: string, file: InputFile): Context | string {
  const title = /^=\s+([^=].*?)\s*(?:#.*)?\r?$/mu.exec(text)?.[1]?.trim();
  if (!title) return 'there is no title "= League 2023/24"';
  const season = seasonOfTitle(title);
  const tournament = tournamentByTitle(title.replace(/\s*\d{4}(?:[/-]\d\d(?:\d\d)?)?$/u, ''));
  if (!tournament || !season) return `the league or season of ${JSON.stringify(title)} is not known`;
  return {
    file,
    title,
    tournament,
    code: [tournament.sources.openfootball!].flat()[0]!,
    season: tournament.windows[season] ? season : (seasonWindow(tournament, season) ?? season),
    grounds: readHeader(text.split(/\r\n|\n|\r/u), title),
    meetings: new Meetings(),
    groups: new ListedGroups(),
  };
}

/** Returns the season if the tournament was held later than its name says. For example, Euro 2020 was held in 2021. */
function seasonWindow(tournament: KnownTournament, year: string): string | undefined {
  return Object.entries(tournament.windows).find(([, [from]]) => from.startsWith(`${year}-`))?.[0];
}

function repeats({ match }: MatchUpdateInput, title: string, fixtures: Map<string, string>): string | undefined {
  const fixture = `${match.scheduled_start}|${match.home.name}|${match.away.name}|${match.score?.home}:${match.score?.away}`;
  const before = fixtures.get(fixture);
  fixtures.set(fixture, before ?? title);
  return before !== undefined && before !== title ? before : undefined;
}

function toUpdate({ fixture, stage, day, time }: TextMatch, context: Context): MatchUpdateInput {
  const { file, season, code, grounds } = context;
  const tournament = tournamentOfRound(context.tournament, stage);
  const ground = fixture.ground === undefined ? undefined : grounds.of(fixture.ground);
  const start = time && tournament.timezone ? localToUtc(day, time, tournament.timezone) : undefined;
  const pairing = `${code}/${season}/${fixture.home}/${fixture.away}`;
  const round = readRound(stage, tournament);
  const [home, away] = [findTeam(fixture.home, tournament), findTeam(fixture.away, tournament)];
  return matchUpdate(PROVIDER, file, {
    id: pairing + context.meetings.suffix(pairing, `${stage}|${day}`),
    sport: 'football',
    tournament: { name: tournament.name, country: tournament.country, gender: tournament.gender },
    season: { label: season },
    home,
    away,
    ...(start ? { scheduled_start: start, time_tbd: false, start_time: time! } : dateOnly(day)),
    ...round,
    group_name: round.group_name ?? context.groups.groupOf(tournament, season, stage, home, away),
    ...readState(fixture.score, fixture.note),
    ...(ground && { venue: ground }),
  });
}

/** Adds the goals, and then a line-up per side, from the lines below a match. */
function withDetails(update: MatchUpdateInput, details: readonly string[]): MatchUpdateInput {
  if (details.length === 0) return update;
  const { match } = update;
  const joined = details.join(' ');
  const goals = joined.startsWith('(') ? readGoalLine(joined) : undefined;
  const lineups = (['home', 'away'] as const).map((side) =>
    readLineup(joined, side, match[side].name, [match.home.name, match.away.name]),
  );
  return { ...update, match: withStates(match, goals, lineups) };
}
