/**
 * OpenLigaDB: leagues and cups, entered by users. The date of a matchday's last change costs nothing, so it is
 * requested every 20 seconds. If the date has changed, the matchday itself is requested (`poll-schedule.ts`).
 */
import { splitLabel } from '../../identity/canonical-tournaments.ts';
import type { MatchInput } from '../../wire/feed-update.ts';
import { defineProvider, type ProviderReply, type ProviderUpdate, type Reading, type Unknown } from '../provider.ts';
import type { Known, KnownMatch } from './known-matches.ts';
import { findLeague, type League, withoutSeason } from './leagues.ts';
import { readMatchState } from './match-state.ts';
import { planRequests } from './poll-schedule.ts';
import { currentGroupReply, type MatchReply, matchReply, readGoalReplies, readStart } from './replies.ts';
import { readRound } from './rounds.ts';

export const provider = defineProvider<Known>({
  name: 'openligadb',
  title: 'OpenLigaDB',
  baseUrl: 'https://api.openligadb.de',
  dailyRequests: 5_000,
  maxBytes: 4 * 1024 * 1024,
  notice:
    'The data of OpenLigaDB are under the Open Database License 1.0: name the source, and share databases derived from it under the same licence.',
  knownVersion: 1,

  start(scope) {
    const [, league, season] = /^([\p{L}\p{N}_-]{1,30})(?:\/((?:19|20)\d\d))?$/u.exec(scope ?? '') ?? [];
    if (league === undefined) return 'give the shortcut of a league, such as bl1, or of a season, such as bl1/2024';
    return {
      league: league.toLowerCase(),
      fixedSeason: season === undefined ? null : Number(season),
      seasons: [],
      currentGroup: null,
      changes: {},
      matches: {},
    };
  },

  requests: planRequests,

  updates(reply, known) {
    const [, resource, league, season, group] =
      /^\/(getcurrentgroup|getlastchangedate|getmatchdata)\/([^/]+)(?:\/(\d+)(?:\/(\d+))?)?$/u.exec(reply.path) ?? [];
    if (resource === undefined || decodeURIComponent(league!) !== known.league)
      return `is a reply to ${reply.path}, which was not asked`;
    if (resource === 'getcurrentgroup') return readCurrentGroup(reply, known);
    if (resource === 'getlastchangedate') return readChange(reply, known, `${season}/${group}`);
    return readMatches(reply, known, Number(season));
  },
});

function readCurrentGroup({ body }: ProviderReply, known: Known): Reading<Known> | string {
  const { data } = currentGroupReply.safeParse(body);
  if (!data) return 'has no groupOrderID: not the present matchday';
  return { known: { ...known, currentGroup: data.groupOrderID }, updates: [], unknown: [] };
}

function readChange({ body }: ProviderReply, known: Known, matchday: string): Reading<Known> | string {
  if (typeof body !== 'string' || !/^\d{4}-\d\d-\d\dT/u.test(body)) return 'is not the date of a change';
  return {
    known: { ...known, changes: { ...known.changes, [matchday]: body.slice(0, 40) } },
    updates: [],
    unknown: [],
  };
}

function readMatches(reply: ProviderReply, known: Known, season: number): Reading<Known> | string {
  const { body } = reply;
  if (!Array.isArray(body)) return 'is not a list of matches';
  const updates: ProviderUpdate[] = [];
  const unknown: Unknown[] = [];
  const next: Known = { ...known, matches: { ...known.matches } };
  const league = findLeague(known.league);
  for (const [index, entry] of newestEntries(body, league, season, unknown)) {
    const update = readMatch(reply, entry, `[${index}]`, { league, season, known: next, unknown });
    if (update !== null) updates.push(update);
  }
  // If no match can be read, the list may be for the wrong league.
  const [first] = unknown;
  if (updates.length === 0 && first && unknown.length >= body.length)
    return `no match can be read: ${first.path} is ${JSON.stringify(first.value)?.slice(0, 100)}`;
  if (updates.length > 0 && !known.seasons.includes(season)) next.seasons = [...known.seasons, season];
  return { known: next, updates, unknown };
}

/**
 * Identifies a match by the sides, because the id changes if a user enters the match again. In a cup, two sides may
 * meet in two rounds.
 */
const matchKey = ({ team1, team2, group }: MatchReply, isCup: boolean): string =>
  `${team1.teamId}-${team2.teamId}${isCup ? `-${group.groupOrderID}` : ''}`;

/**
 * Returns the newest entry for each pairing. A pairing is listed twice if a user enters a match again before deleting
 * the old entry.
 */
function newestEntries(
  body: readonly unknown[],
  { shortcut, isCup }: League,
  season: number,
  unknown: Unknown[],
): [number, MatchReply][] {
  const newest = new Map<string, [number, MatchReply]>();
  for (const [index, value] of body.entries()) {
    const parsed = matchReply.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const path = ['', ...issue!.path].join('.');
      unknown.push({ path: `[${index}]${path}`, value: issue!.message });
      continue;
    }
    const other = otherSeason(parsed.data, shortcut, season);
    if (other !== null) {
      unknown.push({ path: `[${index}].${other}`, value: parsed.data[other] });
      continue;
    }
    const key = matchKey(parsed.data, isCup);
    if ((newest.get(key)?.[1].matchID ?? 0) < parsed.data.matchID) newest.set(key, [index, parsed.data]);
  }
  return [...newest.values()];
}

function otherSeason(
  { leagueShortcut, leagueSeason }: MatchReply,
  league: string,
  season: number,
): 'leagueShortcut' | 'leagueSeason' | null {
  if (leagueShortcut != null && leagueShortcut.toLowerCase() !== league) return 'leagueShortcut';
  return leagueSeason != null && leagueSeason !== season ? 'leagueSeason' : null;
}

interface MatchContext {
  league: League;
  season: number;
  /** The known state, to which the match is added. */
  known: Known;
  unknown: Unknown[];
}

/** @returns null if the reply has no news about the match */
function readMatch(
  { receivedAt, sourceTime }: ProviderReply,
  entry: MatchReply,
  path: string,
  { league, season, known, unknown }: MatchContext,
): ProviderUpdate | null {
  const { team1, team2, matchID } = entry;
  if (team1.teamId === team2.teamId) {
    unknown.push({ path: `${path}.team2.teamId`, value: team2.teamId });
    return null;
  }
  const key = `${season}/${matchKey(entry, league.isCup)}`;
  const former = known.matches[key];
  const updated = entry.lastUpdateDateTime ?? null;
  const isSame = former?.id === matchID;
  // Then this is an old copy of the reply. The source gives all dates in the same local time, so they can be compared
  // as text.
  if (isSame && updated !== null && former.updated !== null && updated < former.updated) return null;
  const start = readStart(entry);
  if (start === null) unknown.push({ path: `${path}.matchDateTimeUTC`, value: entry.matchDateTimeUTC });
  const before: KnownMatch = {
    ...(former ?? { id: matchID, state: 'scheduled' }),
    start: start ?? former?.start ?? null,
    group: entry.group.groupOrderID,
    updated: updated ?? (isSame ? former.updated : null),
  };
  for (const value of readGoalReplies(entry).unread) unknown.push({ path: `${path}.goals`, value });
  const surely = Math.min(receivedAt, sourceTime ?? receivedAt);
  const read = readMatchState(entry, before, league.isCup, { receivedAt, surely });
  known.matches[key] = read.known.fallen ? read.known : { ...read.known, id: matchID };
  return {
    kind: 'match',
    match: {
      id: `${league.shortcut}/${key}`,
      ...matchReference(entry, league, season),
      ...(start !== null && { scheduled_start: `${new Date(start).toISOString().slice(0, 19)}Z` }),
      ...readRound(entry),
      ...readPlace(entry, league),
      ...read.state,
    },
  };
}

function matchReference(
  { leagueName, team1, team2 }: MatchReply,
  { name, shortcut, country, gender, isCup }: League,
  season: number,
): Pick<MatchInput, 'sport' | 'tournament' | 'season' | 'home' | 'away'> {
  const side = ({ teamId, teamName }: MatchReply['team1']) => ({ id: String(teamId), name: teamName, country });
  // Tournaments in summer have a single year in their name.
  const isOneYear = name === undefined && isCup && !/\d{2}\s*[/-]\s*\d{2}/u.test(leagueName ?? '');
  return {
    sport: 'football',
    tournament: { id: shortcut, name: name ?? withoutSeason(leagueName ?? shortcut), country, gender },
    season: { label: isOneYear ? String(season) : splitLabel(season) },
    home: side(team1),
    away: side(team2),
  };
}

const readPlace = ({ location, numberOfViewers }: MatchReply, { country }: League): Partial<MatchInput> => ({
  ...(location?.locationStadium && {
    venue: {
      name: location.locationStadium.slice(0, 200),
      ...(location.locationCity && { city: location.locationCity.slice(0, 200) }),
      country,
    },
  }),
  ...(numberOfViewers && { attendance: numberOfViewers }),
});
