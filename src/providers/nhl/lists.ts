/**
 * The lists of games: the schedule of a week and the scores of a day. They know all games, and each one's state and score. The
 * play-by-play of a game that has begun knows more, and is applied in place of the list's entry, unless it does not come. Pure.
 */
import { fittingUpdates } from '../fitting-match.ts';
import { entryFault, type Said, withEntry } from '../listed-game.ts';
import { nearGames } from '../polled-game.ts';
import type { ProviderReply, ProviderUpdate, Reading } from '../provider.ts';
import { isRecord, quote, Reader } from '../reader.ts';
import { isOfSeason, isUnplayed, laterGame, readGame } from './game.ts';
import { type Known, type NhlGame, readSaid, SET_BACK } from './poll-schedule.ts';
import { type GameReply, scheduledGame } from './replies.ts';

interface Listed {
  game: GameReply;
  day: string;
  path: string;
}
interface Collected {
  games: Record<string, NhlGame>;
  updates: ProviderUpdate[];
  reader: Reader;
  at: number;
  /** Whether the reply is the calendar, whose fixtures are applied whether they are news or not. */
  isCalendar: boolean;
}

/** @param day the date that the request asks for */
export function readList(
  { path, body, receivedAt: at }: ProviderReply,
  day: string,
  known: Known,
): Reading<Known> | string {
  const isCalendar = path.startsWith('/v1/schedule/');
  const entries = isCalendar ? weekEntries(body, day) : dayEntries(body, day);
  if (typeof entries === 'string') return entries;
  const into: Collected = { games: { ...known.games }, updates: [], reader: new Reader(), at, isCalendar };
  const byId = new Map<number, Listed>();
  for (const entry of entries) {
    const game = into.reader.item(scheduledGame, entry.given, entry.path);
    if (!game || !isOfSeason(game)) continue;
    const other = byId.get(game.id);
    if (!other || laterGame(other.game, game) === game) byId.set(game.id, { game, day: entry.day, path: entry.path });
  }
  for (const listed of byId.values()) addListed(listed, into);
  return { known: { games: nearGames(into.games, at) }, updates: into.updates, unknown: into.reader.unknown };
}

type Entries = { given: unknown; day: string; path: string }[];

function weekEntries(body: unknown, day: string): Entries | string {
  if (!isRecord(body) || !Array.isArray(body.gameWeek)) return 'the reply has no gameWeek';
  const week: unknown[] = body.gameWeek;
  const first = week[0];
  if (isRecord(first) && first.date !== day) return `the reply is the week of ${quote(first.date)}, not of ${day}`;
  return week.flatMap((one, index) =>
    isRecord(one) && Array.isArray(one.games) && typeof one.date === 'string'
      ? one.games.map((given, at) => ({ given, day: one.date as string, path: `gameWeek[${index}].games[${at}]` }))
      : [{ given: one, day, path: `gameWeek[${index}]` }],
  );
}

function dayEntries(body: unknown, day: string): Entries | string {
  if (!isRecord(body) || !Array.isArray(body.games)) return 'the reply has no list of games';
  if (body.currentDate !== undefined && body.currentDate !== day)
    return `the reply is of ${quote(body.currentDate)}, not of ${day}`;
  return body.games.map((given, at) => ({ given, day, path: `games[${at}]` }));
}

function addListed({ game, day, path }: Listed, into: Collected): void {
  const { reader, at } = into;
  const read = readGame(game);
  if (typeof read === 'string') {
    reader.report(path, read);
    return;
  }
  for (const warning of read.warnings) reader.report(path, warning);
  const said = readSaid(game);
  const start = Date.parse(game.startTimeUTC);
  const before = into.games[game.id];
  // The day on which a postponed game should have been played still lists it.
  if (game.gameScheduleState === 'PPD' && before && start < before.start) return;
  if (!said) {
    // The fixture counts, its state does not.
    if (!before || into.isCalendar) into.updates.push(...fittingUpdates(read.match, path, reader));
    return;
  }
  const claim = { said, start, at, isStopped: isUnplayed(game), setBack: SET_BACK };
  const fault = entryFault(before, claim);
  if (fault !== undefined) {
    reader.report(`${path}.gameState`, fault);
    return;
  }
  const { game: next, isApplied } = withEntry(
    before,
    claim,
    before !== undefined && isNews(game, said, before, into),
    read.match.status !== undefined,
  );
  const { homeTeam, awayTeam, season } = game;
  into.games[game.id] = { ...next, day, season, home: homeTeam.abbrev, away: awayTeam.abbrev };
  if (isApplied) into.updates.push(...fittingUpdates(read.match, path, reader));
}

/** Whether an entry is applied at once: of a fixture, and of a game that is not played. */
function isNews(game: GameReply, { mark, phase }: Said, before: NhlGame, { isCalendar }: Collected) {
  if (phase !== 'ahead' && !isUnplayed(game)) return false;
  return isCalendar || mark !== before.listed.mark || Date.parse(game.startTimeUTC) !== before.start;
}
