/**
 * openfootball's Football.TXT: fixtures and results in plain text, with scorers and line-ups where a file has them
 * (Champions League, Euro, Russia). A file says its league in the title; years of days follow from the days before.
 */
import { foldName } from '../../db/fold.ts';
import type { MatchUpdateInput } from '../feed.ts';
import { dateOnly, localToUtc } from '../local-time.ts';
import { type KnownTournament, knownTournaments, tournamentOfRound } from '../tournaments.ts';
import { ImportError, type InputFile, inputFiles, wholeText } from './files.ts';
import { type DayReader, readDays } from './football-txt-days.ts';
import { readGoalLine, readLineup, withStates } from './football-txt-details.ts';
import { readFixture, type TextFixture } from './football-txt-fixture.ts';
import { readHeader, type TextGrounds } from './football-txt-header.ts';
import type { Importer, ImportItem } from './importer.ts';
import { Meetings } from './meetings.ts';
import { groupInSeason, seasonOfTitle, stateOf, teamOf } from './openfootball-json.ts';
import { readRound } from './round.ts';
import { turnToOfficialSides } from './sides.ts';

const PROVIDER = 'openfootball-text';

export const footballTxt: Importer = {
  format: 'football-txt',
  provider: PROVIDER,
  description: "openfootball's Football.TXT: cl.txt, euro.txt, 2024-25_ru1.txt and their like",
  async *read(path, meter) {
    const accept = ({ name, folder }: InputFile) =>
      name.endsWith('.txt') && folder !== 'squads' && !/\.(clubs|stadiums|players|leagues)\.txt$/u.test(name);
    const files = await inputFiles(path, 'Football.TXT files', accept, meter);
    const fixtures = new Map<string, string>();
    let any = false;
    for (const file of files) {
      for await (const item of readFile(file, fixtures)) {
        any ||= item.kind === 'update';
        yield item;
      }
    }
    if (!any) throw new ImportError(`${path}: no matches in Football.TXT in these files`);
  },
};

/** The tournament with this name or alias, of whatever country: titles name the country in words. */
function tournamentByTitle(title: string): KnownTournament | undefined {
  const folded = foldName(title);
  const found = knownTournaments().all.filter(
    (entry) => entry.sources.openfootball && [entry.name, ...entry.aliases].some((name) => foldName(name) === folded),
  );
  return found.length === 1 ? found[0] : undefined;
}

interface State {
  file: InputFile;
  tournament: KnownTournament;
  code: string;
  season: string;
  grounds: TextGrounds;
  meetings: Meetings;
  days: DayReader;
  day: string | undefined;
  time: string | undefined;
  stage: string;
}

/** @param fixtures what has been read so far, and under which title: one file of the Russian league is there twice */
async function* readFile(file: InputFile, fixtures: Map<string, string>): AsyncGenerator<ImportItem> {
  const at = (line: number) => `${file.path}:${line}`;
  const text = await wholeText(file).catch((error: Error) => error);
  if (text instanceof Error) {
    yield { kind: 'fault', position: file.path, detail: `cannot be read: ${text.message}` };
    return;
  }
  const lines = text.split(/\r\n|\n|\r/u);
  const title = /^=\s+([^=].*?)\s*(?:#.*)?\r?$/mu.exec(text)?.[1]?.trim();
  if (!title) {
    yield { kind: 'fault', position: at(1), detail: 'there is no title "= League 2023/24"' };
    return;
  }
  const season = seasonOfTitle(title);
  const tournament = season && tournamentByTitle(title.replace(/\s*\d{4}(?:[/-]\d\d(?:\d\d)?)?$/u, ''));
  if (!tournament) {
    yield { kind: 'fault', position: at(1), detail: `the league or season of ${JSON.stringify(title)} is not known` };
    return;
  }
  const label = tournament.windows[season] || !windowOf(tournament, season) ? season : windowOf(tournament, season)!;
  const state: State = {
    file,
    tournament,
    code: [tournament.sources.openfootball!].flat()[0]!,
    season: label,
    grounds: readHeader(lines, title),
    meetings: new Meetings(),
    days: readDays(season),
    day: undefined,
    time: undefined,
    stage: '',
  };
  let pending: { update: MatchUpdateInput; line: number; details: string[] } | undefined;
  const finish = (): ImportItem[] => {
    const done = pending;
    pending = undefined;
    return done
      ? [
          {
            kind: 'update',
            position: at(done.line),
            update: turnToOfficialSides(withDetails(done.update, done.details)),
          },
        ]
      : [];
  };
  for (const [index, written] of lines.entries()) {
    const line = written.replace(/\s#.*$|^#.*$/u, '').trimEnd();
    if (line.trim() === '' || line.startsWith('=')) continue;
    if (line.includes('\0')) {
      yield* finish();
      yield { kind: 'fault', position: at(index + 1), detail: 'contains NUL' };
      continue;
    }
    const stage = /^\s*[»▪]\s*(.+)$/u.exec(line);
    if (stage) {
      yield* finish();
      if (!stage[1]!.includes('|')) state.stage = stage[1]!.trim();
      continue;
    }
    if (/^Group \S+\s*\|/u.test(line)) continue; // The list of a group's teams.
    const day = state.days.read(line);
    if (day) {
      yield* finish();
      state.day = day;
      state.time = undefined;
      continue;
    }
    const fixture = readFixture(line);
    if (fixture) {
      yield* finish();
      const update = toUpdate(fixture, state);
      if (typeof update === 'string') {
        yield { kind: 'fault', position: at(index + 1), detail: update };
        continue;
      }
      const repeated = repeats(update, title, fixtures);
      if (repeated) {
        yield {
          kind: 'fault',
          position: at(1),
          detail: `repeats the matches of ${repeated}: the rest of the file is left out`,
        };
        return;
      }
      pending = { update, line: index + 1, details: [] };
    } else if (pending && /^\s/u.test(line)) {
      pending.details.push(line.trim());
    } else {
      yield* finish();
      yield {
        kind: 'fault',
        position: at(index + 1),
        detail: `is neither a day nor a match: ${line.trim().slice(0, 80)}`,
      };
    }
  }
  yield* finish();
}

/** The season that a title's year is a late edition of: "Euro 2021" was Euro 2020. */
function windowOf(tournament: KnownTournament, year: string): string | undefined {
  return Object.entries(tournament.windows).find(([, [from]]) => from.startsWith(`${year}-`))?.[0];
}

function repeats({ match }: MatchUpdateInput, title: string, fixtures: Map<string, string>): string | undefined {
  const fixture = `${match.scheduled_start}|${match.home.name}|${match.away.name}|${match.score?.home}:${match.score?.away}`;
  const before = fixtures.get(fixture);
  fixtures.set(fixture, before ?? title);
  return before !== undefined && before !== title ? before : undefined;
}

function toUpdate(fixture: TextFixture, state: State): MatchUpdateInput | string {
  const { file, season, code, grounds } = state;
  if (!state.day) return 'a match before the first day';
  const tournament = tournamentOfRound(state.tournament, state.stage);
  state.time = fixture.time ?? state.time;
  const ground = fixture.ground === undefined ? undefined : grounds.of(fixture.ground);
  const start = state.time && tournament.timezone ? localToUtc(state.day, state.time, tournament.timezone) : undefined;
  const pairing = `${code}/${season}/${fixture.home}/${fixture.away}`;
  const round = readRound(state.stage, tournament);
  const home = teamOf(fixture.home, tournament);
  return {
    schema: 1,
    provider: PROVIDER,
    observed_at: file.observedAt,
    kind: 'match',
    match: {
      id: pairing + state.meetings.suffix(pairing, `${state.stage}|${state.day}`),
      sport: 'football',
      tournament: { name: tournament.name, country: tournament.country, gender: tournament.gender },
      season: { label: season },
      home,
      away: teamOf(fixture.away, tournament),
      ...(start ? { scheduled_start: start, time_tbd: false, start_time: state.time! } : dateOnly(state.day)),
      ...round,
      group_name: round.group_name ?? groupInSeason(tournament, season, state.stage, home),
      ...stateOf(fixture.score, fixture.note),
      ...(ground && { venue: ground }),
    },
  };
}

/** Goals, then a line-up per side, as the lines below a match give them. */
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
