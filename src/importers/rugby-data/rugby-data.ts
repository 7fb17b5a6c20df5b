/**
 * transientlunatic/Rugby-Data: rugby union results, scores and line-ups (JSON, a file per competition and season named like
 * "celtic-2024-2025.json"). It has these traps. A penalty try is worth 7 points, but the files say 5. A minute alone does not show to which
 * half it belongs. A match that was decided by kicks at goal has a level score. Kick-offs are in UTC.
 */
import { type KnownTournament, tournamentBySource } from '../../identity/canonical-tournaments.ts';
import { count, present } from '../../providers/index.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { matchUpdate } from '../feed-updates.ts';
import { faultAt, fileFault, type InputFile, textDamage } from '../files.ts';
import { eachFile, fileImporter, type ImportItem, toItem } from '../importer.ts';
import { readMatchList } from '../json.ts';
import { countTries, readDetails, sumPoints } from './details.ts';
import { isMatch, type RawMatch } from './raw-match.ts';
import { findKicks, findTeam, findTries } from './teams.ts';

const RUGBY_DATA = 'rugby-data';
const FILE = /^([a-z][a-z0-9-]*)-(\d{4})-(\d{4})\.json$/u;

export const rugbyData = fileImporter({
  format: RUGBY_DATA,
  provider: RUGBY_DATA,
  description: 'rugby union: JSON of transientlunatic/Rugby-Data (celtic-2024-2025.json, premiership-…)',
  expected: 'files like celtic-2024-2025.json',
  accepts: ({ name }) => FILE.test(name),
  readFiles: eachFile(readFile),
});

async function* readFile(file: InputFile): AsyncGenerator<ImportItem> {
  const [, code = '', first, second] = FILE.exec(file.name) ?? [];
  const tournament = tournamentBySource(RUGBY_DATA, code);
  if (!tournament) {
    yield fileFault(file.path, `the competition ${code} is not known; add it to tournaments.yaml`);
    return;
  }
  const list = await readMatchList(file);
  if (list.fault) {
    yield list.fault;
    return;
  }
  const matches = list.value;
  const context: Context = {
    file,
    tournament,
    code,
    season: `${first}/${second?.slice(2)}`,
    knockouts: knockoutNames(matches.filter(isMatch)),
  };
  for (const [index, match] of matches.entries()) {
    const position = `${file.path}#${index + 1}`;
    const read = isMatch(match)
      ? (textDamage(JSON.stringify(match)) ?? readMatch(match, context))
      : 'the sides, the date, the round or the score is missing';
    yield toItem(position, typeof read === 'string' ? read : read.update);
    if (typeof read !== 'string' && read.fault !== undefined) yield faultAt(position, read.fault);
  }
}

interface Context {
  file: InputFile;
  tournament: KnownTournament;
  code: string;
  season: string;
  /** Knock-out round names by round number. */
  knockouts: ReadonlyMap<number, string>;
}

/** Round names by match count. A round with eight matches is the round of 16, and so on. */
const ROUNDS: Readonly<Record<number, string>> = {
  1: 'Final',
  2: 'Semi-finals',
  4: 'Quarter-finals',
  8: 'Round of 16',
};

function knockoutNames(matches: readonly RawMatch[]): Map<number, string> {
  const sizes = new Map<number, number>();
  for (const { round_type, round } of matches)
    if (round_type === 'knockout') sizes.set(round, (sizes.get(round) ?? 0) + 1);
  return new Map([...sizes].map(([round, size]) => [round, ROUNDS[size] ?? 'Play-offs']));
}

function readMatch(match: RawMatch, context: Context): { update: MatchUpdateInput; fault?: string } | string {
  const { file, tournament, code, season, knockouts } = context;
  const [home, away] = [match.home, match.away].map(({ team }) => findTeam(team, tournament.country));
  if (!home || !away) return `the country of the team ${(home ? match.away : match.home).team} is not known`;
  if (home.name === away.name) return 'both sides are the same team';
  const start = new Date(match.date);
  if (Number.isNaN(start.getTime())) return `${JSON.stringify(match.date)} is not a date`;
  const day = match.date.slice(0, 10);
  const score = { home: match.home.score, away: match.away.score };
  const isKnockout = match.round_type === 'knockout';
  const kicks = isKnockout && score.home === score.away ? findKicks(home.name, away.name, day) : undefined;
  const isDetailed = match.home.scores.length + match.away.scores.length > 0;
  const contradicts = isDetailed && (['home', 'away'] as const).find((side) => sumPoints(match[side]) !== score[side]);
  const tries = isDetailed
    ? { home: countTries(match.home), away: countTries(match.away) }
    : findTries(home.name, away.name, day);
  const details = contradicts ? {} : readDetails(match, { home: home.name, away: away.name });
  const statistics = [count('ALL', 'Tries', tries?.home, tries?.away), ...(details.statistics ?? [])].filter(present);
  const group = isKnockout ? undefined : findGroup(tournament, season, home.name, away.name);
  return {
    ...(contradicts && {
      fault: `the points of ${match[contradicts].team} add up to ${sumPoints(match[contradicts])}, not to ${score[contradicts]}; the score is taken without them`,
    }),
    update: matchUpdate(RUGBY_DATA, file, {
      // Before the knock-out, two sides meet once at each ground, so the id needs no round.
      id: [code, season, isKnockout ? knockouts.get(match.round) : match.round, home.name, away.name].join('/'),
      sport: 'rugby',
      tournament: { id: code, name: tournament.name, country: tournament.country, gender: tournament.gender },
      season: { label: season },
      home,
      away,
      scheduled_start: start.toISOString().replace('.000Z', 'Z'),
      time_tbd: false,
      ...(isKnockout
        ? { round_name: knockouts.get(match.round)! }
        : { round_num: match.round, round_name: `Round ${match.round}` }),
      ...(group && { group_name: group }),
      status: 'finished',
      status_detail: kicks ? 'after_penalties' : 'ended',
      score,
      ...(kicks && { period_scores: [{ period: 'PEN', ...kicks }] }),
      ...(match.attendance && { attendance: match.attendance }),
      ...details,
      ...(statistics.length > 0 && !contradicts && { statistics }),
    }),
  };
}

/** Returns the listed group to which both sides belong. */
function findGroup(tournament: KnownTournament, season: string, home: string, away: string): string | undefined {
  const listed = Object.entries(tournament.groups[season] ?? {});
  const found = listed.find(([, teams]) => teams.includes(home) && teams.includes(away));
  return found && `Pool ${found[0]}`;
}
