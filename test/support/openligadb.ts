/** A source that works like OpenLigaDB. A test enters matches as users do, and the server replies with them. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface EnteredGoal {
  goalID: number;
  scoreTeam1: number;
  scoreTeam2: number;
  matchMinute: number | null;
  goalGetterID: number;
  goalGetterName: string | null;
  isPenalty: boolean;
  isOwnGoal: boolean;
  isOvertime: boolean;
  comment: string | null;
}
export interface EnteredMatch {
  matchID: number;
  matchDateTime: string;
  timeZoneID: string;
  leagueId: number;
  leagueName: string;
  leagueSeason: number;
  leagueShortcut: string;
  matchDateTimeUTC: string;
  group: { groupName: string; groupOrderID: number; groupID: number };
  team1: { teamId: number; teamName: string; shortName: string; teamIconUrl: string; teamGroupName: null };
  team2: { teamId: number; teamName: string; shortName: string; teamIconUrl: string; teamGroupName: null };
  lastUpdateDateTime: string | null;
  matchIsFinished: boolean;
  matchResults: object[];
  goals: EnteredGoal[];
  location: { locationID: number; locationCity: string; locationStadium: string } | null;
  numberOfViewers: number | null;
}

let serial = 70_000;
const nextId = () => {
  serial += 1;
  return serial;
};

/** Formats a time as wall time in Berlin in winter, as the source does. */
const berlin = (ms: number): string => new Date(ms + 3_600_000).toISOString().replace('Z', '');

/** @param start ms since 1970 */
export function enterMatch(teams: [string, string], start: number, over: Partial<EnteredMatch> = {}): EnteredMatch {
  const team = (name: string) => ({
    teamId: 1_000 + [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9_000, 7),
    teamName: name,
    shortName: name,
    teamIconUrl: '',
    teamGroupName: null,
  });
  return {
    matchID: nextId(),
    matchDateTime: berlin(start).slice(0, 19),
    timeZoneID: 'W. Europe Standard Time',
    leagueId: 4_900,
    leagueName: '1. Fußball-Bundesliga 2026/2027',
    leagueSeason: 2026,
    leagueShortcut: 'bl1',
    matchDateTimeUTC: `${new Date(start).toISOString().slice(0, 19)}Z`,
    group: { groupName: '11. Spieltag', groupOrderID: 11, groupID: 48_011 },
    team1: team(teams[0]),
    team2: team(teams[1]),
    lastUpdateDateTime: null,
    matchIsFinished: false,
    matchResults: [],
    goals: [],
    location: null,
    numberOfViewers: null,
    ...over,
  };
}

export function enterGoal(
  match: EnteredMatch,
  score: string,
  matchMinute: number | null,
  goalGetterName: string | null,
  over: Partial<EnteredGoal> = {},
): void {
  const [scoreTeam1, scoreTeam2] = score.split(':').map(Number) as [number, number];
  match.goals.push({
    goalID: nextId(),
    scoreTeam1,
    scoreTeam2,
    matchMinute,
    goalGetterID: goalGetterName === null ? 0 : nextId(),
    goalGetterName,
    isPenalty: false,
    isOwnGoal: false,
    isOvertime: false,
    comment: null,
    ...over,
  });
}

/** @param resultTypeID 1 for half-time, 2 after 90 minutes, 3 after extra time, 4 after penalties */
export function enterResult(match: EnteredMatch, resultTypeID: 1 | 2 | 3 | 4, score: string): void {
  const [pointsTeam1, pointsTeam2] = score.split(':').map(Number);
  match.matchResults = [
    ...match.matchResults.filter((result) => (result as { resultTypeID: number }).resultTypeID !== resultTypeID),
    {
      resultID: nextId(),
      resultName: resultTypeID === 1 ? 'Halbzeitergebnis' : 'Endergebnis',
      pointsTeam1,
      pointsTeam2,
      resultOrderID: resultTypeID,
      resultTypeID,
      resultDescription: '',
    },
  ];
}

export interface OpenLigaDbServer {
  url: string;
  matches: EnteredMatch[];
  currentGroup: number;
  /** Time of the last change on any matchday. */
  changedAt: string;
  /** Paths that were requested. */
  asked: string[];
  /** If set, may reply instead of the server. Returns false to leave the reply to the server. */
  fault: ((path: string, response: ServerResponse) => boolean) | null;
  /** The server's clock in ms, for the Date header. */
  now(): number;
  /** Records that a match has changed. */
  touch(match: EnteredMatch): void;
  close(): Promise<void>;
}

export async function startOpenLigaDb(now: () => number): Promise<OpenLigaDbServer> {
  const server = createServer((request, response) => {
    const path = request.url!;
    source.asked.push(path);
    response.setHeader('Date', new Date(source.now()).toUTCString());
    if (source.fault?.(path, response)) return;
    const answer = answerTo(path);
    if (answer === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify(answer)));
  });
  function answerTo(path: string): unknown {
    const [, resource, league, season, group] = path.split('/');
    const found = source.matches.filter(
      ({ leagueShortcut, leagueSeason, group: { groupOrderID } }) =>
        leagueShortcut === league &&
        String(leagueSeason) === season &&
        (group === undefined || String(groupOrderID) === group),
    );
    if (resource === 'getcurrentgroup')
      return { groupName: `${source.currentGroup}. Spieltag`, groupOrderID: source.currentGroup, groupID: 48_000 };
    if (resource === 'getlastchangedate') return source.changedAt;
    return resource === 'getmatchdata' ? found : undefined;
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const source: OpenLigaDbServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    matches: [],
    currentGroup: 11,
    changedAt: '0001-01-01T00:00:00',
    asked: [],
    fault: null,
    now,
    touch(match) {
      match.lastUpdateDateTime = berlin(now());
      source.changedAt = berlin(now());
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return source;
}
