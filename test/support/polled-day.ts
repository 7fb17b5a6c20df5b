/**
 * Simulates a day's polling of a source without network and database. A provider's requests are sent when they are due,
 * and a model of the source replies.
 */
import assert from 'node:assert/strict';
import { type Asked, dueAt } from '../../src/polling/due-requests.ts';
import type { Provider, ProviderUpdate } from '../../src/providers/provider.ts';

type Match = Extract<ProviderUpdate, { kind: 'match' }>['match'];

export interface PolledDay {
  /** Times of the requests in ms, by path. */
  asked: Map<string, number[]>;
  /** Match updates with their times in ms, in order. */
  updates: { at: number; match: Match }[];
}

/** Steps of the clock: the first while a match is live, the second otherwise. */
const LIVE_STEP_MS = 5_000;
const IDLE_STEP_MS = 60_000;

/** @param answer returns the body of the reply at a time in ms; undefined if there is no such page */
export function pollDay(
  provider: Provider,
  from: string,
  to: string,
  answer: (path: string, now: number) => unknown,
  scope: string | null = null,
): PolledDay {
  const day: PolledDay = { asked: new Map(), updates: [] };
  const asked = new Map<string, Asked>();
  let known = provider.start(scope) as unknown;
  for (let now = Date.parse(from); now < Date.parse(to); ) {
    const requests = provider.requests(now, known);
    for (const request of requests) {
      const { path, version } = request;
      if (dueAt(request, asked.get(path)) > now) continue;
      day.asked.set(path, [...(day.asked.get(path) ?? []), now]);
      const body = answer(path, now);
      assert.ok(body !== undefined, `nothing answers ${path}`);
      const reading = provider.updates({ path, body, receivedAt: now, sourceTime: now }, known);
      assert.ok(typeof reading !== 'string', `${path}: ${reading}`);
      assert.deepEqual(reading.unknown, [], path);
      known = reading.known;
      for (const update of reading.updates)
        if (update.kind === 'match') day.updates.push({ at: now, match: update.match });
      asked.set(path, { at: now, failures: 0, jitter: 1, ...(version !== undefined && { version }) } as Asked);
    }
    now += requests.some(({ isLive }) => isLive) ? LIVE_STEP_MS : IDLE_STEP_MS;
  }
  return day;
}

/**
 * Returns the number of requests.
 * @param part counts only paths that contain this text
 */
export const countAsked = ({ asked }: PolledDay, part = ''): number =>
  [...asked].reduce((sum, [path, times]) => sum + (path.includes(part) ? times.length : 0), 0);

/** Returns the first time, in ms, at which a match was in a state. */
export const firstTime = ({ updates }: PolledDay, id: string, has: (match: Match) => boolean): number | undefined =>
  updates.find(({ match }) => match.id === id && has(match))?.at;
