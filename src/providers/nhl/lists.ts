/**
 * Reads the lists of games, which are a week's schedule and a day's scores. They have every game with state and score.
 * For a game that has begun, the play-by-play has more detail, so it is applied in place of the list entry. If the
 * play-by-play does not come, the list entry is applied. Pure.
 */
import { GameUpdates } from '../game-updates.ts';
import { entryFault, type Said, withEntry } from '../listed-game.ts';
import type { ProviderReply, Reading } from '../provider.ts';
import { isRecord, quote } from '../reader.ts';
import { isOfSeason, isUnplayed, laterGame, readGame } from './game.ts';
import { type Known, type NhlGame, readSaid, SET_BACK } from './poll-schedule.ts';
import { type GameReply, scheduledGame } from './replies.ts';

interface Listed {
  game: GameReply;
  day: string;
  path: string;
}
/** @param day the requested date */
export function readList(
  { path, body, receivedAt: at }: ProviderReply,
  day: string,
  known: Known,
): Reading<Known> | string {
  const isCalendar = path.startsWith('/v1/schedule/');
  const entries = isCalendar ? weekEntries(body, day) : dayEntries(body, day);
  if (typeof entries === 'string') return entries;
  const into = new GameUpdates(known.games, at);
  const byId = new Map<number, Listed>();
  for (const entry of entries) {
    const game = into.item(scheduledGame, entry.given, entry.path);
    if (!game || !isOfSeason(game)) continue;
    const other = byId.get(game.id);
    if (!other || laterGame(other.game, game) === game) byId.set(game.id, { game, day: entry.day, path: entry.path });
  }
  for (const listed of byId.values()) addListed(listed, isCalendar, into);
  return into.nearReading();
}

type Entries = { given: unknown; day: string; path: string }[];

function weekEntries(body: unknown, day: string): Entries | string {
  if (!isRecord(body) || !Array.isArray(body.gameWeek)) return 'the reply has no gameWeek';
  const week: unknown[] = body.gameWeek;
  const first = week[0];
  if (isRecord(first) && first.date !== day) return `the reply is the week of ${quote(first.date)}, not of ${day}`;
  return week.flatMap((one, index) => {
    const path = `gameWeek[${index}]`;
    const { games, date } = isRecord(one) ? one : {};
    return Array.isArray(games) && typeof date === 'string'
      ? games.map((given, at) => ({ given, day: date, path: `${path}.games[${at}]` }))
      : [{ given: one, day, path }];
  });
}

function dayEntries(body: unknown, day: string): Entries | string {
  if (!isRecord(body) || !Array.isArray(body.games)) return 'the reply has no list of games';
  if (body.currentDate !== undefined && body.currentDate !== day)
    return `the reply is of ${quote(body.currentDate)}, not of ${day}`;
  return body.games.map((given, at) => ({ given, day, path: `games[${at}]` }));
}

/**
 * @param isCalendar whether the reply is the week's schedule, whose fixtures are applied even if they have not changed
 */
function addListed({ game, day, path }: Listed, isCalendar: boolean, into: GameUpdates<NhlGame>): void {
  const read = readGame(game);
  if (typeof read === 'string') {
    into.report(path, read);
    return;
  }
  into.warn(path, read.warnings);
  const said = readSaid(game);
  const start = Date.parse(game.startTimeUTC);
  const before = into.games[game.id];
  // A postponed game stays listed on the day for which it was first planned. That entry is ignored.
  if (game.gameScheduleState === 'PPD' && before && start < before.start) return;
  if (!said) {
    // The state is unknown, so only the fixture is applied.
    if (!before || isCalendar) into.add(read.match, path);
    return;
  }
  const claim = { said, start, at: into.at, isStopped: isUnplayed(game), setBack: SET_BACK };
  const fault = entryFault(before, claim);
  if (fault !== undefined) {
    into.report(`${path}.gameState`, fault);
    return;
  }
  const { game: next, isApplied } = withEntry(
    before,
    claim,
    before !== undefined && isNews(game, said, before, isCalendar),
    read.match.status !== undefined,
  );
  const { homeTeam, awayTeam, season } = game;
  into.games[game.id] = { ...next, day, season, home: homeTeam.abbrev, away: awayTeam.abbrev };
  if (isApplied) into.add(read.match, path);
}

/**
 * True if an entry is applied at once. This is so for fixtures and for games that are not played. In a day's scores,
 * the entry must also have changed.
 */
function isNews(game: GameReply, { mark, phase }: Said, before: NhlGame, isCalendar: boolean) {
  if (phase !== 'ahead' && !isUnplayed(game)) return false;
  return isCalendar || mark !== before.listed.mark || Date.parse(game.startTimeUTC) !== before.start;
}
