import assert from 'node:assert/strict';
import { play } from '../../src/demo/play.ts';
import { type Recording, shippedRecording } from '../../src/demo/recording.ts';
import type { FeedUpdate, MatchUpdate } from '../../src/wire/feed-update.ts';

const START = Date.parse('2026-11-21T12:00:00Z');

/** Creates a clock that advances when code sleeps, so that an hour passes at once. */
function timeline() {
  let now = START;
  const applied: { at: number; match: MatchUpdate['match']; observed: number }[] = [];
  return {
    applied,
    clock: { now: () => now },
    sleep: async (ms: number, signal: AbortSignal) => {
      signal.throwIfAborted();
      now += ms;
    },
    apply: async (updates: FeedUpdate[]) => {
      const [update] = updates as MatchUpdate[];
      applied.push({ at: now, match: update!.match, observed: Date.parse(update!.observed_at) });
      return [{ outcome: 'accepted' }];
    },
  };
}

describe('playing a recording', () => {
  let recording: Recording;
  before(async () => {
    recording = await shippedRecording('world-cup-final-2022');
  });
  const never = new AbortController().signal;

  it('applies every state at the recorded times, thirty times as fast, with a match id of its own and today’s start', async () => {
    const deps = timeline();
    await play(deps, recording, { matchId: 'showing-1', signal: never });
    assert.equal(deps.applied.length, recording.length);
    const kickOff = deps.applied.find(({ match }) => match.status === 'live')!;
    assert.ok(kickOff.at - START <= 20_000, 'what comes before takes at most 20 s');
    for (const [index, { at, match, observed }] of deps.applied.entries()) {
      assert.equal(match.id, 'showing-1');
      assert.equal(observed, at);
      assert.ok(Math.abs(Date.parse(match.scheduled_start!) - kickOff.at) < 1_000);
      const expected = recording[index]!.at;
      if (expected >= 0) assert.ok(Math.abs(at - kickOff.at - (expected * 1000) / 30) <= 1, `state ${index}`);
    }
  });

  it('starts at the given time', async () => {
    const deps = timeline();
    await play(deps, recording, { matchId: 'm', start: START + 60_000, speed: 100, signal: never });
    assert.equal(deps.applied.find(({ match }) => match.status === 'live')!.at, START + 60_000);
    assert.equal(deps.applied[0]!.match.scheduled_start, '2026-11-21T12:01:00.000Z');
  });

  it('stops at once if it is aborted, even in the middle of a wait', async () => {
    const controller = new AbortController();
    const { apply, applied } = timeline();
    const before = Date.now();
    setTimeout(() => controller.abort(), 30);
    await play({ apply, clock: { now: () => Date.now() } }, recording, {
      matchId: 'm',
      speed: 1,
      signal: controller.signal,
    });
    assert.ok(Date.now() - before < 1_000);
    assert.ok(applied.length <= 1);
  });

  it('fails if an update is rejected', async () => {
    const deps = { ...timeline(), apply: async () => [{ outcome: 'rejected', errors: [{ path: 'match.score' }] }] };
    await assert.rejects(play(deps, recording, { matchId: 'm', signal: never }), /rejected: .*match\.score/);
  });

  it('continues where it was interrupted, and removes no incident', async () => {
    const whole = timeline();
    await play(whole, recording, { matchId: 'm', signal: never });
    const cuts = [0, 1, 2, 3, 40, 90, 100, 150, 175, 185];
    for (const cut of cuts) {
      const { match } = whole.applied[cut]!;
      const rest = timeline();
      const resume = {
        status: match.status!,
        status_detail: match.status_detail!,
        lineup_confirmed: match.lineup_confirmed ?? null,
        minute: match.minute ?? null,
        incidents: match.incidents?.length ?? 0,
      };
      await play(rest, recording, { matchId: 'm', resume, signal: never });
      const [first] = rest.applied;
      assert.equal(first!.at, START, 'without a wait');
      assert.equal(first!.match.scheduled_start === undefined, match.status === 'live', 'the announced start stands');
      assert.deepEqual(
        { ...first!.match, scheduled_start: 0 },
        { ...whole.applied[whole.applied.length - rest.applied.length]!.match, scheduled_start: 0 },
      );
      const skipped = whole.applied.length - rest.applied.length;
      assert.ok(skipped <= cut && cut - skipped <= 5, `cut at ${cut}, continues at ${skipped}`);
      assert.ok((first!.match.incidents?.length ?? 0) >= resume.incidents);
    }
  });
});
