/**
 * openfootball JSON: leagues and cups of football.json, World Cups with goals, fixtures still to play, and the squads
 * and stadiums beside them.
 */
import { nationTeam } from '../../identity/merges.ts';
import {
  findTournament,
  type KnownTournament,
  tournamentBySource,
  tournamentOfRound,
} from '../../identity/tournaments.ts';
import { COUNTRIES } from '../../wire/countries.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { type FileError, type InputFile, inputFiles, reason, textDamage, wholeText } from '../files.ts';
import type { Importer, ImportItem } from '../importer.ts';
import { ListedGroups } from '../listed-groups.ts';
import { dateOnly, findZone, isDay, localToUtc, offsetToUtc } from '../local-time.ts';
import { Meetings } from '../meetings.ts';
import { readRound } from '../round.ts';
import { turnToOfficialSides } from '../sides.ts';
import { readGoals } from './goals.ts';
import { type OpenScore, readOpenScore } from './score.ts';
import { type Grounds, groundsBeside, isSquads, readSquads, readStadiums, type StadiumFile } from './venues.ts';

const PROVIDER = 'openfootball';

export const openfootballJson: Importer = {
  format: 'openfootball-json',
  provider: PROVIDER,
  description: 'openfootball JSON: football.json leagues (2023-24/en.1.json) and worldcup.json cups',
  async *read(path, meter) {
    const accept = ({ name }: InputFile) => /\.json$/iu.test(name) && !BESIDE.test(name);
    const files = await inputFiles(path, 'JSON files of openfootball', accept, meter);
    for (const file of files) yield* readFile(file);
  },
};

/** Files of openfootball without matches: the others contain their information. */
const BESIDE = /\.(?:clubs|groups|standings|teams)\.json$/iu;

async function* readFile(file: InputFile): AsyncGenerator<ImportItem> {
  const fault = (at: string, detail: string): FileError => ({ kind: 'fault', position: `${file.path}${at}`, detail });
  let content: unknown;
  try {
    content = JSON.parse(await wholeText(file));
  } catch (error) {
    yield { ...fault('', `cannot be read: ${reason(error)}`), endsFile: true };
    return;
  }
  if (isSquads(content)) {
    yield* readSquads(file, content);
    return;
  }
  if (isObject(content) && Array.isArray(content.stadiums)) {
    yield* readStadiums(file, content as unknown as StadiumFile);
    return;
  }
  if (!isObject(content) || !Array.isArray(content.matches)) {
    yield { ...fault('', 'is not a file of openfootball: no list of matches, stadiums or squads'), endsFile: true };
    return;
  }
  const league = findLeague(file, typeof content.name === 'string' ? content.name : '');
  const grounds = await groundsBeside(file);
  const meetings = new Meetings();
  const groups = new ListedGroups();
  const readOne = (match: unknown) => {
    if (typeof league === 'string') return league;
    if (!isObject(match)) return 'is not an object';
    return textDamage(JSON.stringify(match)) ?? readMatch(match, { file, league, grounds, meetings, groups });
  };
  for (const [index, match] of content.matches.entries()) {
    const at = `#${index + 1}`;
    const read = readOne(match);
    yield typeof read === 'string'
      ? fault(at, read)
      : { kind: 'update', position: `${file.path}${at}`, update: turnToOfficialSides(read) };
  }
  yield* groups.faults();
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface League {
  code: string;
  season: string;
  tournament: KnownTournament;
}

/** The file name gives the league ("en.1"), the title and the folder give the season. */
function findLeague(file: InputFile, title: string): League | string {
  const cup = /^(worldcup|clubworldcup)(?:\.(quali).*)?\.json$/u.exec(file.name);
  const code = cup ? (cup[2] ? `${cup[1]}.quali` : cup[1]!) : file.name.replace(/\.json$/u, '');
  const season = seasonOfTitle(title) ?? seasonOfTitle(file.folder);
  if (!season) return `neither the title ${JSON.stringify(title)} nor the folder ${file.folder} ends in a season`;
  const tournament = tournamentBySource(PROVIDER, code) ?? leagueByTitle(code, title);
  if (!tournament) return `the league ${code} is not known; add it to tournaments.yaml`;
  return { code, season, tournament };
}

/** "Deutsche Bundesliga 2023/24", "2023-24", "World Cup 2022" */
export function seasonOfTitle(title: string): string | undefined {
  const years = /(\d{4})(?:[/-](?:\d\d)?(\d\d))?\s*$/u.exec(title);
  return years ? years[1]! + (years[2] ? `/${years[2]}` : '') : undefined;
}

const CODE_COUNTRIES: Record<string, string> = {
  en: 'GB-ENG',
  eng: 'GB-ENG',
  sco: 'GB-SCT',
  wal: 'GB-WLS',
  nir: 'GB-NIR',
};

/** Returns a league that is missing in our list, if its code ("pl.1") gives the country. */
function leagueByTitle(code: string, title: string): KnownTournament | undefined {
  const country = CODE_COUNTRIES[code.split('.')[0]!] ?? code.split('.')[0]!.toUpperCase();
  if (!COUNTRIES.some(({ iso }) => iso === country) || !code.includes('.')) return undefined;
  const name = title.replace(/\s*\d{4}.*$/u, '').trim();
  if (name === '') return undefined;
  return findTournament('football', country, 'men', name) ?? unlisted(name, country);
}

function unlisted(name: string, country: string): KnownTournament {
  const like = tournamentBySource(PROVIDER, 'en.1')!;
  return { ...like, name, country, rounds: {}, groups: {}, one_table: false, timezone: findZone(country) };
}

const STATUSES: Record<
  string,
  { status: 'scheduled' | 'finished'; status_detail: 'postponed' | 'cancelled' | 'abandoned' | 'awarded' }
> = {
  postponed: { status: 'scheduled', status_detail: 'postponed' },
  cancelled: { status: 'finished', status_detail: 'cancelled' },
  canceled: { status: 'finished', status_detail: 'cancelled' },
  abandoned: { status: 'finished', status_detail: 'abandoned' },
  awarded: { status: 'finished', status_detail: 'awarded' },
};

/** A placeholder in the draw, not a team: "N.N.", "Sieger EF", "W74", "1A". */
const PLACEHOLDER = /^(?:N\.N\.|TB[AD]|(?:Sieger|Winner|Loser|Verlierer)\b.*|[WL]\d+|[1-3][A-L](?:\/[A-L])*)$/u;

interface Context {
  file: InputFile;
  league: League;
  grounds: Grounds;
  meetings: Meetings;
  groups: ListedGroups;
}

function readMatch(
  match: Record<string, unknown>,
  { file, league, grounds, meetings, groups }: Context,
): MatchUpdateInput | string {
  const { team1, team2, date, round } = match;
  if (typeof team1 !== 'string' || typeof team2 !== 'string' || !team1.trim() || !team2.trim())
    return 'team1 or team2 is missing';
  if ([team1, team2].some((name) => PLACEHOLDER.test(name))) return 'who plays is not known yet';
  if (typeof date !== 'string' || !isDay(date)) return `${JSON.stringify(date)} is not a date`;
  const written = typeof round === 'string' ? round : '';
  const tournament = tournamentOfRound(league.tournament, written);
  const rounds = {
    ...readRound(written, tournament),
    ...(typeof match.group === 'string' && { group_name: match.group }),
  };
  const score = readOpenScore(match.score);
  if (typeof score === 'string') return score;
  const ground = grounds.of(match.ground, league.season);
  const [home, away] = [findTeam(team1, tournament), findTeam(team2, tournament)];
  rounds.group_name ??= groups.groupOf(tournament, league.season, written, home, away);
  const pairing = `${league.code}/${league.season}/${team1}/${team2}`;
  const incidents = readGoals(match);
  return {
    schema: 1,
    provider: PROVIDER,
    observed_at: file.observedAt,
    kind: 'match',
    match: {
      id: pairing + meetings.suffix(pairing, `${written}|${date}`),
      sport: 'football',
      tournament: { name: tournament.name, country: tournament.country, gender: tournament.gender },
      season: { label: league.season },
      home,
      away,
      ...parseStart(dayInSeason(date, league.season), match.time, ground?.zone ?? tournament.timezone),
      ...rounds,
      ...readState(score, match.status),
      ...(ground && { venue: ground.venue }),
      ...(incidents && { incidents }),
    },
  };
}

/** Returns a match's result in a file. A fixture still to be played has none: another source's result remains. */
export function readState(score: OpenScore | undefined, status: unknown) {
  const special = typeof status === 'string' ? STATUSES[status.toLowerCase()] : undefined;
  if (special?.status_detail === 'cancelled' || special?.status_detail === 'postponed') return special;
  if (score) return { ...score, ...(special && { status: special.status, status_detail: special.status_detail }) };
  return special?.status_detail === 'abandoned' ? special : {};
}

/** "Arsenal FC (ENG)" includes its country; other teams have the country of their league. */
export function findTeam(
  written: string,
  tournament: Pick<KnownTournament, 'country'>,
): { name: string; country?: string } {
  const coded = /^(.*\S)\s*\(([A-Z]{3})\)$/u.exec(written);
  if (coded) {
    const country = nationTeam(coded[2]!)?.country;
    return country ? { name: coded[1]!, country } : { name: written };
  }
  if (tournament.country !== 'INT') return { name: written, country: tournament.country };
  return { name: written, country: nationTeam(written)?.country ?? 'INT' };
}

/**
 * A season that spans two years begins in its first: a spring day before that has a wrong year (League One 2025/26).
 */
function dayInSeason(day: string, season: string): string {
  const year = season.slice(0, 4);
  const beforeSeason = season.includes('/') && day.startsWith(year) && day.slice(5, 7) < '06';
  return beforeSeason ? `${Number(year) + 1}${day.slice(4)}` : day;
}

const EUROPEAN_ZONES: Record<string, string> = { CET: 'Europe/Zurich', CEST: 'Europe/Zurich' };

/** "19:00", "13:00 UTC-6", "20:45 CET" or nothing. */
function parseStart(day: string, written: unknown, zone: string | undefined) {
  if (typeof written !== 'string' || written.trim() === '') return dateOnly(day);
  const [time, place] = written.trim().split(/\s+/u);
  const offset = /^UTC([+-]\d+(?:\.\d+)?)$/u.exec(place ?? '')?.[1];
  const inZone = EUROPEAN_ZONES[place ?? ''] ?? zone;
  const start =
    offset !== undefined ? offsetToUtc(day, time!, Number(offset)) : inZone && localToUtc(day, time!, inZone);
  return start ? { scheduled_start: start, time_tbd: false, start_time: written } : dateOnly(day);
}
