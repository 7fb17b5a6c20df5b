/**
 * openfootball's football.json (github.com/openfootball/football.json): the fixtures for a league's season, and results
 * some days after the matches. The scope is a league code, such as en.1. A file is read once a day. It has the whole
 * season, or does not exist yet.
 */
import { findTournament, seasonOn } from '../../identity/canonical-tournaments.ts';
import { DAY_MS, utcDay } from '../../wire/time.ts';
import { fittingUpdates } from '../fitting-match.ts';
import { ListedGroups } from '../listed-groups.ts';
import { Meetings } from '../meetings.ts';
import {
  defineProvider,
  type PlannedRequest,
  type ProviderReply,
  type ProviderUpdate,
  type Reading,
} from '../provider.ts';
import { isRecord, Reader } from '../reader.ts';
import { findLeague, type League, leagueName, OPENFOOTBALL, seasonOfTitle } from './league.ts';
import { readMatch, UNKNOWN_SIDES } from './match.ts';

/** The next season's fixtures appear some weeks before it begins. */
const AHEAD_MS = 75 * DAY_MS;
/** Leagues whose files are named by one year, although their seasons in our list span two years. */
const BY_YEAR = new Set(['ar.1']);

interface Known {
  /** The league's code. */
  code: string;
}

const CODE = /^[a-z]+(?:\.[a-z0-9]+)*$/u;
const PATH = /^\/(\d{4}(?:-\d\d)?)\/([a-z0-9.]+)\.json$/u;

const filePath = (season: string, code: string) => `/${season.replace('/', '-')}/${code}.json`;

export const provider = defineProvider<Known>({
  name: OPENFOOTBALL,
  title: 'openfootball',
  baseUrl: 'https://raw.githubusercontent.com/openfootball/football.json/master',
  // Enough for two files a day for each of the sixty leagues, and for repeats after failures.
  dailyRequests: 500,
  maxBytes: 2_000_000,
  notice: 'The data of openfootball are in the public domain (CC0).',
  knownVersion: 1,
  start(scope) {
    if (scope === null) return 'name the league, for example openfootball:en.1';
    // If our list does not have the league, the file gives its name.
    const league = CODE.test(scope)
      ? findLeague(scope, '', scope)
      : `${JSON.stringify(scope)} is not the code of a league`;
    return typeof league === 'string' ? league : { code: scope };
  },
  requests(now, { code }): PlannedRequest[] {
    const seasons = new Set([now, now + AHEAD_MS].map((at) => seasonLabel(code, at)));
    return [...seasons].map((season) => ({ path: filePath(season, code), everyMs: DAY_MS }));
  },
  updates: readFile,
});

function seasonLabel(code: string, at: number): string {
  const day = utcDay(at);
  const league = findLeague(code, '', code);
  return typeof league === 'string' || BY_YEAR.has(code) ? day.slice(0, 4) : seasonOn(league.tournament, day);
}

function readFile({ path, body }: ProviderReply, known: Known): Reading<Known> | string {
  const [, folder, code] = PATH.exec(path) ?? [];
  if (folder === undefined || code !== known.code) return `${path} is no request of this provider`;
  if (!isRecord(body) || !Array.isArray(body.matches) || typeof body.name !== 'string')
    return 'the reply is no file of openfootball: it has no name or no list of matches';
  const season = seasonOfTitle(body.name);
  if (season !== folder.replace('-', '/')) return `the reply is "${body.name}", not the season ${folder}`;
  const league = findLeague(code, season, body.name);
  if (typeof league === 'string') return league;
  if (isOther(body.name, league)) return `the reply is "${body.name}", not ${code}`;
  const reader = new Reader();
  const meetings = new Meetings();
  const groups = new ListedGroups();
  const updates: ProviderUpdate[] = [];
  for (const [index, match] of body.matches.entries()) {
    const at = `matches[${index}]`;
    const read = isRecord(match) ? readMatch(match, league, { meetings, groups }) : 'is not an object';
    if (typeof read !== 'string') updates.push(...fittingUpdates(read, at, reader));
    else if (read !== UNKNOWN_SIDES) reader.report(at, read);
  }
  return { known, updates, unknown: reader.unknown };
}

/** True if the title names another league in the same country. */
function isOther(title: string, { tournament }: League): boolean {
  const named = findTournament('football', tournament.country, tournament.gender, leagueName(title));
  return named !== undefined && named.name !== tournament.name;
}
