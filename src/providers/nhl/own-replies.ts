/** Reads replies about one game: play-by-play, and the right rail with statistics and officials. Pure. */
import type { MatchInput } from '../../wire/feed-update.ts';
import { GameUpdates, gameReader } from '../game-updates.ts';
import { replyFault, withReply } from '../listed-game.ts';
import type { ProviderReply, Reading } from '../provider.ts';
import { isRecord, type Reader, readWhole } from '../reader.ts';
import { countGoals } from '../side.ts';
import { gameReference, isOfSeason, isUnplayed } from './game.ts';
import { type Known, type NhlGame, readSaid, SET_BACK } from './poll-schedule.ts';
import { type PlayByPlayReply, playByPlayReply, playReply, rightRailReply, rosterSpot } from './replies.ts';
import { readReplies, readRightRail } from './replies-of-game.ts';

export function readPlays({ body, receivedAt: at }: ProviderReply, id: string, known: Known): Reading<Known> | string {
  if (!isRecord(body)) return 'the reply is no object';
  const into = new GameUpdates(known.games, at);
  const plays = readable(playReply, body.plays, 'plays', into);
  const spots = readable(rosterSpot, body.rosterSpots, 'rosterSpots', into);
  const reply = readWhole(playByPlayReply, { ...body, plays: plays.items, rosterSpots: spots.items });
  if (typeof reply === 'string') return reply;
  if (String(reply.id) !== id) return `the reply is of game ${reply.id}, not of ${id}`;
  if (!isOfSeason(reply)) return `the reply is of a game of type ${reply.gameType}`;
  const before = known.games[id];
  const said = readSaid(reply);
  if (!said) return into.unread('gameState', reply.gameState);
  const start = Date.parse(reply.startTimeUTC);
  const order = Math.max(0, ...reply.plays.map(({ sortOrder }) => sortOrder));
  const claim = { said, start, at, isStopped: isUnplayed(reply), setBack: SET_BACK };
  const fault = replyFault(before, claim, order);
  if (fault !== undefined) return into.unread('gameState', fault);
  const read = readReplies({ playByPlay: reply });
  if (typeof read === 'string') return into.unread('', read);
  into.warn('plays', read.warnings);
  const match = withoutDoubt(read.match, body, reply, { hasAllPlays: plays.isWhole, hasAllSpots: spots.isWhole }, into);
  into.games[id] = {
    ...withReply(before, claim, order, match.status !== undefined),
    // If the lists were lost, the reply's date is used until the next list gives the day.
    day: before?.day ?? (typeof body.gameDate === 'string' ? body.gameDate : ''),
    season: reply.season,
    home: reply.homeTeam.abbrev,
    away: reply.awayTeam.abbrev,
  };
  into.add(match);
  return into.reading();
}

/** Returns the readable items, and whether all of them are readable. */
function readable(schema: Parameters<Reader['item']>[0], items: unknown, path: string, reader: Reader) {
  if (!Array.isArray(items)) return { items, isWhole: true };
  const read = items.filter((item, index) => reader.item(schema, item, `${path}[${index}]`) !== undefined);
  return { items: read, isWhole: read.length === items.length };
}

/**
 * Leaves out blocks that are incomplete because of an unknown value. If the play-by-play has more goals than a live
 * score, the goals give the score.
 */
function withoutDoubt(
  match: MatchInput,
  body: Record<string, unknown>,
  reply: PlayByPlayReply,
  { hasAllPlays, hasAllSpots }: { hasAllPlays: boolean; hasAllSpots: boolean },
  reader: Reader,
): MatchInput {
  let sure = { ...match };
  const leaveOut = (...names: (keyof MatchInput)[]) => {
    for (const name of names) delete sure[name];
  };
  if (!hasAllPlays) leaveOut('incidents', 'period_scores');
  if (!hasAllSpots) leaveOut('lineups', 'lineup_confirmed');
  const period = isRecord(body.periodDescriptor) ? body.periodDescriptor.periodType : undefined;
  if (period !== undefined && !reply.periodDescriptor) {
    reader.report('periodDescriptor.periodType', period);
    leaveOut('status_detail', 'minute', 'score', 'period_scores', 'incidents');
    if (match.status === 'finished') leaveOut('status', 'finalized');
  }
  const goals = countGoals(match.incidents ?? []);
  const { score } = sure;
  if (sure.status === 'live' && score && sure.incidents && (score.home < goals.home || score.away < goals.away)) {
    reader.report('homeTeam.score', `${score.home}:${score.away}, and ${goals.home}:${goals.away} goals`);
    sure = { ...sure, score: goals };
  }
  return sure;
}

/** The right rail does not identify its game, so the known game is used. */
export const readRail = gameReader({ schema: rightRailReply }, (reply, game: NhlGame, into, id) => {
  const reference = gameReference({ ...game, id: Number(id) });
  if (typeof reference === 'string') return reference;
  const blocks = readRightRail(reply);
  if (Object.keys(blocks).length > 0) into.add({ ...reference, ...blocks });
  return into.reading();
});
