/**
 * Baseball from the MLB Stats API (statsapi.mlb.com). Schedules for seven days are read every few hours. Today's
 * schedule is read every 20 s while a game may begin. A game's live feed is read every 20 s, or less often if the feed
 * asks for it.
 */
import { defineProvider } from '../provider.ts';
import { MLB } from './game.ts';
import { readBoxScore, readFeed } from './own-replies.ts';
import { type Known, planRequests } from './poll-schedule.ts';
import { readSchedule } from './schedule.ts';

const SCHEDULE = /^\/api\/v1\/schedule\?sportId=1&date=(\d{4}-\d\d-\d\d)$/u;
const FEED = /^\/api\/v1\.1\/game\/(\d+)\/feed\/live\?/u;
const BOX_SCORE = /^\/api\/v1\/game\/(\d+)\/boxscore$/u;

export const provider = defineProvider<Known>({
  name: MLB,
  title: 'MLB',
  baseUrl: 'https://statsapi.mlb.com',
  // Fifteen games on a day cost 9,300 requests: 7,800 feeds, 400 box scores, 1,100 schedules
  // (test/providers/polled-day.test.ts). The poller asks less often once half the budget is spent.
  dailyRequests: 20_000,
  maxBytes: 4_000_000,
  requires: 'acceptance',
  notice:
    'MLB allows "only individual, non-commercial, non-bulk use" of its data (gdx.mlb.com/components/copyright.txt). You are responsible for your right to use them.',
  knownVersion: 1,
  start: (scope) => (scope === null ? { games: {} } : 'MLB is one league: write mlb without a colon'),
  requests: planRequests,
  updates(reply, known) {
    const day = SCHEDULE.exec(reply.path)?.[1];
    if (day !== undefined) return readSchedule(reply, day, known);
    const feed = FEED.exec(reply.path)?.[1];
    if (feed !== undefined) return readFeed(reply, feed, known);
    const box = BOX_SCORE.exec(reply.path)?.[1];
    return box === undefined ? `${reply.path} is no request of this provider` : readBoxScore(reply, box, known);
  },
});
