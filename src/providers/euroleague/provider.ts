/**
 * Basketball from the Euroleague's live API (live.euroleague.net), and the season's schedule from a second host. In a
 * game's window, the header is read every 20 s. A change in the header makes the play-by-play due at once.
 */
import { defineProvider } from '../provider.ts';
import { lookUp } from '../reader.ts';
import { EUROLEAGUE } from './game.ts';
import { readHeader, readSchedule } from './lists.ts';
import { readBoxScore, readPlayByPlay } from './own-replies.ts';
import { type Known, planRequests, schedulePath } from './poll-schedule.ts';

const SCHEDULE = /^\/v2\/competitions\/E\/seasons\/E(\d{4})\/games$/u;
const GAME = /^\/api\/(Header|PlaybyPlay|Boxscore)\?gamecode=(\d+)&seasoncode=(E\d{4})$/u;
const READERS = { Header: readHeader, PlaybyPlay: readPlayByPlay, Boxscore: readBoxScore };

export const provider = defineProvider<Known>({
  name: EUROLEAGUE,
  title: 'Euroleague',
  baseUrl: 'https://live.euroleague.net',
  otherUrls: { '/v2/': 'https://api-live.euroleague.net' },
  // Five games on a day cost 3,500 requests. Each game takes 490 headers, 150 play-by-plays and 60 box scores
  // (test/providers/polled-day.test.ts). The poller asks less often once half the budget is spent.
  dailyRequests: 8_000,
  // A season's schedule has 400 games, 3 KB each.
  maxBytes: 8_000_000,
  notice: 'The Euroleague publishes no terms for its live API. You are responsible for your right to use the data.',
  knownVersion: 1,
  start: (scope) => (scope === null ? { games: {} } : 'the Euroleague is one league: write euroleague without a colon'),
  requests: planRequests,
  updates(reply, known) {
    const season = SCHEDULE.exec(reply.path)?.[1];
    if (season !== undefined && reply.path === schedulePath(Number(season)))
      return readSchedule(reply, Number(season), known);
    const [, kind = '', code, of] = GAME.exec(reply.path) ?? [];
    const read = lookUp(READERS, kind);
    return read ? read(reply, `${of}_${code}`, known) : `${reply.path} is no request of this provider`;
  },
});
