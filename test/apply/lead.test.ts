import assert from 'node:assert/strict';
import { finalizeQuietMatches } from '../../src/apply/upkeep/finalize-matches.ts';
import { replaceSilentLeaders } from '../../src/apply/upkeep/takeovers.ts';
import { precedence } from '../../src/identity/precedence.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';

type Incident = NonNullable<MatchFields['incidents']>[number];

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const score = (home: number, away: number): MatchFields => ({ status: 'live', score: { home, away } });
const goal = (minute: number, over: Partial<Incident> = {}): Incident => ({
  kind: 'goal',
  minute,
  period: '1H',
  side: 'home',
  player: { name: 'Ann Striker' },
  payload: { goal_type: 'regular' },
  ...over,
});

describe('several live providers for one match', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(async () => {
    bench.deps.config = undefined as never;
    delete bench.deps.config;
    await bench.events();
    bench.nextMatch();
  });

  let id = 0;
  /** Feeds an update, and returns the outcome. */
  const say = async (provider: string, fields: MatchFields, ago = 0) => {
    const update = bench.update(fields, { provider });
    const observed_at = new Date(bench.now - ago).toISOString();
    const [result] = await bench.feed({ ...update, observed_at });
    assert.notEqual(result!.outcome, 'rejected', JSON.stringify(result));
    id = result!.matchId ?? id;
    return result!.outcome;
  };
  const shown = async () => {
    const { status, participants } = await bench.card(id);
    return [status, ...participants.map((side) => side.score)];
  };
  const reported = async () => types(await bench.events());
  const claims = async () =>
    (
      await bench.db.pool.query<{ provider: string }>(
        'SELECT DISTINCT provider FROM match_claim WHERE match_id = $1 ORDER BY 1',
        [id],
      )
    ).rows.map(({ provider }) => provider);
  const leader = async () =>
    (await bench.db.pool.query("SELECT provenance #>> '{lead,0}' AS leader FROM match WHERE id = $1", [id])).rows[0]
      .leader;
  const setOrder = (text: string) => {
    bench.deps.config = { precedence: precedence.parse(text) };
  };

  it('a slower provider reverts neither the score nor the end of the match', async () => {
    await say('fast', score(0, 0));
    await say('slow', score(0, 0));
    await say('fast', score(1, 0));
    await say('fast', score(2, 0));
    // This update was observed after the fast provider's 2:0, but contains older news.
    assert.equal(await say('slow', score(1, 0)), 'unchanged');
    assert.deepEqual(await shown(), ['live', 2, 0]);
    await say('fast', { status: 'finished', score: { home: 2, away: 0 } });
    for (const behind of [score(1, 0), score(2, 0)]) assert.equal(await say('slow', behind), 'unchanged');
    await say('slow', { status: 'finished', score: { home: 2, away: 0 } });
    assert.deepEqual(await shown(), ['finished', 2, 0]);
    assert.deepEqual(await reported(), [
      'match.created',
      'match.score_changed',
      'match.score_changed',
      'match.finished',
    ]);
  });

  it('the leader may revert a score that it has sent', async () => {
    await say('fast', { ...score(1, 0), incidents: [goal(10, { id: 'g' })] });
    await say('slow', { ...score(1, 0), incidents: [goal(10, { id: 'g' })] });
    await bench.events();
    await say('fast', { ...score(0, 0), incidents: [] });
    assert.deepEqual(await shown(), ['live', 0, 0]);
    // Otherwise the slow provider's delay would look like a second goal.
    await say('slow', { ...score(1, 0), incidents: [goal(10, { id: 'g' })] });
    await say('slow', { ...score(0, 0), incidents: [] });
    assert.deepEqual(await reported(), ['match.goal_cancelled']);
  });

  it('the provider that first reports the match as live leads it, even if another provider’s update came first', async () => {
    await say('fixtures', {});
    await say('scores', {});
    await say('scores', score(0, 0));
    await say('fixtures', { status: 'scheduled' });
    await say('scores', score(1, 0));
    await say('fixtures', score(0, 0));
    assert.deepEqual(await shown(), ['live', 1, 0]);
    assert.deepEqual(await reported(), ['match.created', 'match.started', 'match.score_changed']);
  });

  for (const [sport, minutes] of [
    ['football', 5],
    ['tennis', 10],
    ['cricket', 15],
  ] as const) {
    it(`a second provider takes over a ${sport} match when the leader has been silent for more than ${minutes} minutes`, async () => {
      const common: MatchFields = {
        sport,
        tournament: { id: `l-${sport}`, name: `A league of ${sport}`, country: 'FR' },
      };
      const [begun, ahead] = [
        { ...common, ...score(0, 0) },
        { ...common, ...score(0, 1) },
      ];
      await say('fast', begun);
      const last = bench.now;
      bench.now = last + minutes * MINUTE - SECOND;
      await say('slow', ahead);
      assert.equal(bench.now, last + minutes * MINUTE);
      assert.deepEqual(await shown(), ['live', 0, 0]);
      await say('slow', ahead);
      assert.deepEqual(await shown(), ['live', 0, 1]);
    });
  }

  it('a repeated update counts as a sign that the leader is alive', async () => {
    const update = bench.update(score(1, 0), { provider: 'fast' });
    for (let minute = 0; minute < 10; minute += 1) {
      bench.now += MINUTE;
      await bench.feed(update);
      await say('slow', score(5, 0));
    }
    assert.deepEqual(await shown(), ['live', 1, 0]);
  });

  it('a second provider leads as soon as the leader’s silence is found, without a new update', async () => {
    await say('fast', score(0, 0));
    await say('slow', { ...score(1, 0), incidents: [goal(10)] });
    await say('slow', { status: 'finished', score: { home: 1, away: 0 } });
    assert.deepEqual(await reported(), ['match.created'], 'the goal is not yet in the score');
    bench.now += 4 * MINUTE;
    assert.equal(await replaceSilentLeaders(bench.deps), 0);
    bench.now += MINUTE;
    assert.equal(await replaceSilentLeaders(bench.deps), 1);
    assert.deepEqual(await shown(), ['finished', 1, 0]);
    assert.deepEqual(await reported(), ['match.goal', 'match.finished']);
    assert.equal(await replaceSilentLeaders(bench.deps), 0);
    assert.deepEqual(await claims(), ['fast'], 'its last word, for its return');
  });

  it('no provider takes over while both are silent', async () => {
    await say('fast', score(0, 0));
    await say('slow', score(1, 0));
    bench.now += HOUR;
    assert.equal(await replaceSilentLeaders(bench.deps), 0);
    assert.deepEqual(await shown(), ['live', 0, 0]);
  });

  it('a provider with a lower score takes over only if it states that score again after the leader’s silence', async () => {
    await say('fast', score(2, 0));
    bench.now += 4 * MINUTE;
    await say('slow', score(1, 0));
    bench.now += 2 * MINUTE;
    assert.equal(await replaceSilentLeaders(bench.deps), 0);
    await say('slow', { minute: 70 });
    assert.deepEqual(await shown(), ['live', 2, 0]);
    await say('slow', score(1, 0));
    assert.deepEqual(await shown(), ['live', 1, 0]);
  });

  it('a provider cannot reopen a finished match or lower its score on the same day, however long the leader was silent', async () => {
    await say('fast', { status: 'finished', score: { home: 2, away: 0 } });
    for (let hour = 0; hour < 24; hour += 1) {
      bench.now += HOUR - 3 * SECOND;
      await say('slow', score(2, 0));
      await say('slow', { status: 'finished', score: { home: 1, away: 0 } });
      await say('slow', { status: 'finished', score: { home: 3, away: 0 } });
    }
    assert.deepEqual(await shown(), ['finished', 2, 0]);
    assert.deepEqual(await reported(), ['match.created']);
    bench.now += MINUTE;
    await say('slow', { status: 'finished', status_detail: 'awarded', score: { home: 0, away: 1 } });
    assert.deepEqual(await shown(), ['finished', 0, 1]);
  });

  it('a leader that returns leads again once it no longer lags', async () => {
    await say('first', score(0, 0));
    await say('second', score(0, 0));
    bench.now += 6 * MINUTE;
    await say('second', score(1, 0));
    await bench.events();
    await say('first', score(0, 0));
    assert.deepEqual(await shown(), ['live', 1, 0]);
    await say('first', { minute: 50 });
    await say('second', score(2, 0));
    await say('first', score(1, 0));
    assert.deepEqual(await shown(), ['live', 2, 0]);
    await say('first', score(2, 0));
    await say('first', score(3, 0));
    await say('second', score(2, 0));
    assert.deepEqual(await shown(), ['live', 3, 0]);
    assert.deepEqual(await reported(), ['match.score_changed', 'match.score_changed']);
  });

  it('the configured live feed order decides the leader, unless the better feed lags or still reports the match as scheduled', async () => {
    setOrder('live: [best, good]');
    await say('unlisted', score(0, 0));
    await say('good', score(1, 0));
    await say('unlisted', score(5, 0));
    assert.deepEqual(await shown(), ['live', 1, 0]);
    await say('best', { status: 'scheduled' });
    await say('good', score(2, 0));
    await say('best', score(1, 0));
    assert.deepEqual(await shown(), ['live', 2, 0]);
    await say('best', score(2, 1));
    await say('good', score(2, 0));
    assert.deepEqual(await shown(), ['live', 2, 1]);
    bench.now += 6 * MINUTE;
    await say('unlisted', score(4, 1));
    assert.deepEqual(await shown(), ['live', 4, 1]);

    bench.nextMatch();
    await say('best', { status: 'scheduled' });
    await say('good', score(1, 0));
    await say('best', { status: 'scheduled' });
    assert.deepEqual([await leader(), ...(await shown())], ['good', 'live', 1, 0]);
  });

  it('an update that makes another provider the leader still stores the sender’s id and data', async () => {
    const known = async () =>
      (
        await bench.db.pool.query(
          "SELECT provider FROM external_ref WHERE entity = 'match' AND entity_id = $1 ORDER BY 1",
          [id],
        )
      ).rows.map(({ provider }) => provider);
    await say('fixtures', {});
    await say('first', score(1, 0));
    assert.deepEqual([await leader(), await known()], ['first', ['first', 'fixtures']]);
    await say('second', score(1, 0));
    bench.now += 4 * MINUTE;
    await say('second', { ...score(1, 0), minute: 40 });
    bench.now += 2 * MINUTE;
    await say('third', score(2, 0));
    assert.deepEqual([await leader(), await known()], ['second', ['first', 'fixtures', 'second', 'third']]);
    assert.deepEqual(await shown(), ['live', 1, 0]);
    assert.equal((await bench.card(id)).minute, 40);
    bench.now += 4 * MINUTE;
    await say('third', { minute: 50 });
    bench.now += 2 * MINUTE;
    await replaceSilentLeaders(bench.deps);
    assert.deepEqual(await shown(), ['live', 2, 0]);
  });

  it('a new leader’s late update counts if it is newer than that provider’s stored data', async () => {
    await say('first', score(0, 0));
    bench.now += 4 * MINUTE;
    await say('second', score(0, 0));
    bench.now += 2 * MINUTE;
    await say('second', { minute: 51 });
    assert.equal(await leader(), 'second');
    // This update was observed before the minute was sent, but after the former score.
    await say('second', score(1, 0), 10 * SECOND);
    assert.deepEqual(await shown(), ['live', 1, 0]);
    await say('second', { minute: 50 }, 5 * SECOND);
    assert.equal((await bench.card(id)).minute, 51);
  });

  it('a provider that gives incidents but no score is compared by its goals, and its incidents are shown when it takes over', async () => {
    await say('first', { ...score(2, 0), incidents: [goal(10), goal(20)] });
    await say('second', { status: 'scheduled', score: null });
    await say('second', { status: 'live', incidents: [goal(10)] });
    bench.now += 4 * MINUTE;
    await say('second', { minute: 40 });
    bench.now += 2 * MINUTE;
    await say('second', { minute: 42 });
    assert.deepEqual(await shown(), ['live', 2, 0], 'behind');
    await bench.events();
    await say('second', { status: 'live', incidents: [goal(10), goal(20), goal(30)] });
    assert.deepEqual(await shown(), ['live', 3, 0]);
    assert.deepEqual(await reported(), ['match.goal']);

    bench.nextMatch();
    await say('first', { ...score(1, 0), incidents: [goal(10)] });
    await say('second', { status: 'scheduled', score: null });
    await say('second', { status: 'live', incidents: [goal(10)] });
    bench.now += 6 * MINUTE;
    await say('second', { minute: 40 });
    assert.equal(await leader(), 'second');
  });

  it('a returning leader does not revoke goals through incidents that are older than the score', async () => {
    const [one, two] = [goal(10), goal(20)];
    await say('first', { ...score(1, 0), incidents: [one] });
    await say('second', { ...score(1, 0), incidents: [one] });
    bench.now += 6 * MINUTE;
    await say('second', { ...score(2, 0), incidents: [one, two] });
    await bench.events();
    await say('first', { ...score(1, 0), incidents: [one] });
    await say('first', score(2, 0));
    await say('first', { ...score(3, 0), incidents: [one, two, goal(30)] });
    assert.deepEqual(await reported(), ['match.goal']);
  });

  it('a second provider’s incidents are not shown before the score includes them', async () => {
    await say('fast', score(0, 0));
    await say('slow', { ...score(1, 0), incidents: [goal(10)] });
    assert.equal((await bench.card(id)).incidents, undefined);
    await say('fast', score(2, 0));
    await say('slow', { ...score(1, 0), incidents: [goal(10)] });
    assert.equal((await bench.card(id)).incidents!.length, 1);
  });

  it('a second provider fills in fields that the leader does not give', async () => {
    await say('fast', score(1, 0));
    await say('slow', { ...score(1, 0), minute: 10, referee: 'R', incidents: [goal(10)], period_scores: [] });
    const card = await bench.card(id);
    assert.deepEqual([card.minute, card.referee, card.incidents!.length], [10, 'R', 1]);
    await say('fast', { ...score(1, 0), minute: 12, referee: 'Q' });
    await say('slow', { ...score(1, 0), minute: 11, referee: 'R' });
    const later = await bench.card(id);
    assert.deepEqual([later.minute, later.referee], [12, 'Q']);
  });

  it('line-ups, statistics and odds from two providers do not switch back and forth', async () => {
    const blocks = (name: string, value: number): MatchFields => ({
      lineups: [{ side: 'home', player: { name }, is_substitute: false }],
      statistics: [
        {
          period: 'ALL',
          group_name: null,
          stat_name: 'Shots',
          home_value: value,
          away_value: 0,
          home_text: null,
          away_text: null,
        },
      ],
      odds: [{ market_name: 'FT', choice_name: '1', decimal_value: value }],
    });
    await say('one', blocks('Ann', 2));
    await bench.events();
    for (let turn = 0; turn < 3; turn += 1) {
      await say('two', { ...blocks('A. Striker', 3), attendance: turn });
      await say('one', { ...blocks('Ann', 2), round_num: turn });
    }
    assert.deepEqual(await reported(), []);
    setOrder('live: [two, one]\nblocks: { lineups: [one, two] }');
    await say('two', blocks('A. Striker', 3));
    const card = await bench.card(id);
    assert.deepEqual(
      [card.lineups![0]!.player_name, card.statistics![0]!.home_value, card.odds![0]!.decimal_value],
      ['Ann', 3, 3],
    );
  });

  it('a configured live feed order for incidents decides whose incidents are shown, whichever provider leads', async () => {
    setOrder('live: [scores, events]\nblocks: { incidents: [events, scores] }');
    await say('scores', { ...score(1, 0), incidents: [goal(10)] });
    await say('events', { ...score(1, 0), incidents: [goal(9, { payload: { n: 1 } })] });
    await say('scores', { ...score(1, 1), incidents: [goal(10)] });
    assert.deepEqual([await leader(), (await bench.card(id)).incidents![0]!.payload], ['scores', { n: 1 }]);
    await say('events', score(3, 0));
    assert.deepEqual(await shown(), ['live', 1, 1]);
  });

  it('a goal that a second provider spells differently is not reported again after a takeover', async () => {
    const theirs = goal(11, { id: 'x', player: { name: 'A. Striker' }, payload: {} });
    await say('first', { ...score(1, 0), incidents: [goal(10, { id: 'g' })] });
    await say('second', { ...score(1, 0), incidents: [theirs] });
    await bench.events();
    bench.now += 6 * MINUTE;
    await say('second', { ...score(2, 0), incidents: [theirs, goal(44, { id: 'y' })] });
    assert.deepEqual(await reported(), ['match.incident_updated', 'match.goal']);
    await say('first', { ...score(2, 0), incidents: [goal(10, { id: 'g' }), goal(43, { id: 'h' })] });
    assert.deepEqual(
      (await bench.card(id)).incidents!.map(({ id: own, minute }) => [own, minute]),
      [
        [1, 10],
        [2, 43],
      ],
    );
  });

  it('the former leader’s incident ids are dropped when a second provider takes over', async () => {
    await say('first', { ...score(2, 0), incidents: [goal(10, { id: '1' }), goal(50, { id: '2' })] });
    await say('second', { ...score(2, 0), incidents: [goal(10), goal(50)] });
    await bench.events();
    bench.now += 6 * MINUTE;
    await say('second', { ...score(2, 0), incidents: [goal(10), goal(50)] });
    assert.equal(await leader(), 'second');
    await say('second', { ...score(2, 0), incidents: [goal(10, { id: '2' }), goal(50, { id: '1' })] });
    assert.deepEqual(await reported(), []);
  });

  it('claims by providers that do not lead are stored until the match is final, and are deleted with the match', async () => {
    await say('fast', score(0, 0));
    await say('slow', score(0, 0));
    assert.deepEqual(await claims(), ['slow']);
    await say('fast', { status: 'finished', score: { home: 0, away: 0 } });
    assert.deepEqual(await claims(), ['slow']);
    await say('fast', { finalized: true });
    assert.deepEqual(await claims(), []);
    await say('slow', { status: 'finished', score: { home: 0, away: 0 } });
    assert.deepEqual(await claims(), []);

    bench.nextMatch();
    await say('fast', { status: 'finished', score: { home: 0, away: 0 } });
    await say('slow', score(0, 0));
    bench.now += 24 * HOUR;
    assert.ok((await finalizeQuietMatches(bench.deps)) > 0);
    assert.deepEqual(await claims(), []);

    bench.nextMatch();
    await say('fast', score(0, 0));
    await say('slow', score(0, 0));
    await say('fast', { deleted: true });
    assert.deepEqual(await claims(), []);
  });

  it('a provider that does not lead cannot delete the match', async () => {
    await say('fast', score(0, 0));
    await say('slow', score(0, 0));
    assert.equal(await say('slow', { deleted: true }), 'unchanged');
    assert.deepEqual(await shown(), ['live', 0, 0]);
    assert.deepEqual(await claims(), []);
  });

  it('a suspension reported by the leader stays although a second provider still reports the match as live', async () => {
    await say('fast', score(1, 0));
    await say('slow', score(1, 0));
    await bench.events();
    await say('fast', { status: 'scheduled', status_detail: 'suspended' });
    await say('slow', { ...score(1, 0), minute: 60 });
    assert.equal((await bench.card(id)).status_detail, 'suspended');
    await say('slow', { status: 'scheduled', status_detail: 'suspended' });
    await say('fast', { status: 'live' });
    await say('slow', { status: 'scheduled', status_detail: 'suspended' });
    assert.deepEqual(await reported(), ['match.suspended', 'match.resumed']);
  });

  describe('providers that make errors', () => {
    it('a provider gains and loses nothing if its clock is an hour behind or five minutes ahead', async () => {
      for (const [leader, other] of [
        [HOUR, 0],
        [0, HOUR],
        [-4 * MINUTE, 0],
        [0, -4 * MINUTE],
        [HOUR, -4 * MINUTE],
      ] as const) {
        bench.nextMatch();
        await say('one', score(0, 0), leader);
        await say('two', score(0, 0), other);
        await say('one', score(1, 0), leader);
        await say('two', score(0, 0), other);
        await say('one', score(2, 0), leader);
        await say('two', score(1, 0), other);
        assert.deepEqual(await shown(), ['live', 2, 0]);
        bench.now += 6 * MINUTE;
        await say('two', score(3, 0), other);
        assert.deepEqual(await shown(), ['live', 3, 0]);
      }
    });

    it('a provider’s updates are rejected if its clock is an hour ahead, and the second provider leads', async () => {
      const [result] = await bench.feed(
        bench.update(score(4, 0), { provider: 'hasty', observed_at: new Date(bench.now + HOUR).toISOString() }),
      );
      assert.deepEqual([result!.outcome, result!.errors![0]!.code], ['rejected', 'in_future']);
      await say('one', score(1, 0));
      assert.deepEqual(await shown(), ['live', 1, 0]);
    });

    it('two providers may use the same id for different matches', async () => {
      const other: MatchFields = {
        id: 'same-id',
        home: { name: 'Third Side', country: 'FR' },
        away: { name: 'Fourth Side', country: 'FR' },
      };
      await say('one', { id: 'same-id', ...score(1, 0) });
      const first = id;
      await say('two', { ...other, ...score(0, 3) });
      assert.notEqual(id, first);
      await say('one', { id: 'same-id', ...score(2, 0) });
      assert.equal(id, first);
      assert.deepEqual(await shown(), ['live', 2, 0]);
      await say('two', { ...other, ...score(0, 4) });
      assert.deepEqual(await shown(), ['live', 0, 4]);
    });

    it('a provider that sends the whole history again changes no data, whether with the former times or new ones', async () => {
      const history = [
        {},
        score(0, 0),
        { ...score(1, 0), incidents: [goal(10)] },
        { ...score(2, 0), incidents: [goal(10), goal(30)] },
        { status: 'finished', score: { home: 2, away: 0 } },
      ] as const satisfies MatchFields[];
      for (const fields of history) {
        await say('one', fields as MatchFields);
        await say('two', fields as MatchFields);
      }
      await bench.events();
      for (const ago of [HOUR, 0]) for (const fields of history) await say('two', fields as MatchFields, ago);
      for (const fields of history) await say('one', fields as MatchFields, HOUR);
      assert.deepEqual(await reported(), []);
      assert.deepEqual(await shown(), ['finished', 2, 0]);
    });

    it('each goal is reported once in a match with three providers whose leader comes and goes', async () => {
      const incidents: Incident[] = [];
      let minute = 0;
      const all = ['one', 'two', 'three'];
      const step = async (alive: string[], scores: boolean) => {
        minute += 1;
        bench.now += 2 * MINUTE;
        if (scores) incidents.push(goal(minute, { payload: { n: incidents.length } }));
        for (const provider of alive)
          await say(provider, { ...score(incidents.length, 0), minute, incidents: [...incidents] });
      };
      await step(all, false);
      await step(all, true);
      for (let round = 0; round < 4; round += 1) {
        // The leader is silent for longer than the limit, then sends its old state, and then keeps up.
        const alive = all.filter((_, index) => index !== round % 3);
        for (let turn = 0; turn < 4; turn += 1) await step(alive, turn % 2 === 0);
        await say(all[round % 3]!, { ...score(1, 0), incidents: incidents.slice(0, 1) });
        await step(all, true);
      }
      for (const provider of all.toReversed())
        await say(provider, { status: 'finished', score: { home: incidents.length, away: 0 } });
      const events = await bench.events();
      assert.deepEqual(types(events), ['match.created', ...incidents.map(() => 'match.goal'), 'match.finished']);
      assert.deepEqual(
        events.slice(1, -1).map(({ data }) => data.incident!.payload.n),
        incidents.map((_, index) => index),
      );
      const scores = events.slice(1).map(({ data }) => data.match.home.score!);
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => a - b),
      );
    });

    it('concurrent updates from two providers leave one leader, and no claim is stored for the leader', async () => {
      await say('one', score(0, 0));
      await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          bench.feed(bench.update({ ...score(index, 0), minute: index }, { provider: index % 2 ? 'one' : 'two' })),
        ),
      );
      assert.deepEqual(await shown(), ['live', 15, 0]);
      assert.deepEqual(await claims(), ['two']);
    });
  });
});
