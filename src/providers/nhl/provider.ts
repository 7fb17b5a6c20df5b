/**
 * Ice hockey from the NHL's web API (api-web.nhle.com). The schedule for two weeks is read every few hours. A day's
 * scores are read every 20 s while a listed game is in its window; a change makes that game's play-by-play due at once.
 */
import { defineProvider } from '../provider.ts';
import { NHL } from './game.ts';
import { readList } from './lists.ts';
import { readPlays, readRail } from './own-replies.ts';
import { type Known, planRequests } from './poll-schedule.ts';

const LIST = /^\/v1\/(?:schedule|score)\/(\d{4}-\d\d-\d\d)$/u;
const PLAYS = /^\/v1\/gamecenter\/(\d+)\/play-by-play$/u;
const RAIL = /^\/v1\/gamecenter\/(\d+)\/right-rail$/u;

export const provider = defineProvider<Known>({
  name: NHL,
  title: 'NHL',
  baseUrl: 'https://api-web.nhle.com',
  // Fifteen games on a day cost 4,700 requests: 1,800 score lists, and 200 for each game
  // (test/providers/polled-day.test.ts). The poller asks less often once half the budget is spent.
  dailyRequests: 12_000,
  maxBytes: 4_000_000,
  requires: 'acceptance',
  notice:
    'The NHL publishes no terms for its web API, and the data are its own. You are responsible for your right to use them, and the API may change or close without notice.',
  knownVersion: 1,
  start: (scope) => (scope === null ? { games: {} } : 'the NHL is one league: write nhl without a colon'),
  requests: planRequests,
  updates(reply, known) {
    const day = LIST.exec(reply.path)?.[1];
    if (day !== undefined) return readList(reply, day, known);
    const id = PLAYS.exec(reply.path)?.[1];
    if (id !== undefined) return readPlays(reply, id, known);
    const rail = RAIL.exec(reply.path)?.[1];
    return rail === undefined ? `${reply.path} is no request of this provider` : readRail(reply, rail, known);
  },
});
