import assert from 'node:assert/strict';
import { applyUpdates } from '../../src/apply/apply.ts';
import { scoreOfIncidents } from '../../src/apply/stored/derived-score.ts';
import { feedUpdate } from '../../src/wire/feed-update.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';

type Incident = NonNullable<MatchFields['incidents']>[number];

const scorer = (kind: string, side: 'home' | 'away' | null, payload: Incident['payload'] = {}, period?: string) => ({
  kind,
  side,
  period: period ?? null,
  payload: payload ?? {},
});
const goal = (side: 'home' | 'away' | null, payload?: Incident['payload'], period?: string) =>
  scorer('goal', side, payload, period);

describe('the score from incidents', () => {
  const cases: [name: string, sport: string, incidents: ReturnType<typeof scorer>[], score: [number, number] | null][] = [
    ['goals', 'football', [goal('home'), goal('away'), goal('home')], [2, 1]],
    ['an own goal, for the side that it counts for', 'futsal', [goal('away', { goal_type: 'own_goal' })], [0, 1]],
    ['a shoot-out', 'handball', [goal('home'), scorer('penalty_shootout', 'away', { scored: true }), goal('away', {}, 'PEN')], [1, 0]],
    ['a shoot-out of ice hockey', 'ice-hockey', [goal('home'), goal('away'), goal('away', {}, 'SO')], [1, 1]],
    ['points', 'basketball', [scorer('point', 'home', { points: 3 }), scorer('point', 'away', { points: 1 })], [3, 1]],
    ['points of rugby', 'rugby', [scorer('point', 'home', { points: 5 }), scorer('point', 'home', { points: 2 })], [7, 0]],
    ['a point that does not say how much it counts', 'basketball', [scorer('point', 'home'), scorer('point', 'away', { points: 2 })], null],
    ['a goal of Australian football that does not say so', 'aussie-rules', [goal('home')], null],
    ['goals and behinds', 'aussie-rules', [goal('home', { points: 6 }), scorer('point', 'away', { points: 1 })], [6, 1]],
    ['sets, whatever the points', 'tennis', [scorer('point', 'away', { points: 15 }), scorer('set_end', 'home')], [1, 0]],
    ['frames', 'snooker', [scorer('set_end', 'home'), scorer('set_end', 'away'), scorer('set_end', 'home')], [2, 1]],
    ['only points in a sport with sets', 'volleyball', [scorer('point', 'home', { points: 1 })], null],
    ['a goal of neither side', 'football', [goal('home'), goal(null)], null],
    ['a negative value', 'basketball', [scorer('point', 'home', { points: -2 })], null],
    ['a fraction', 'basketball', [scorer('point', 'home', { points: 0.5 })], null],
    ['more than a score can be', 'basketball', [scorer('point', 'home', { points: 32_768 })], null],
    ['no goals', 'football', [scorer('card', 'home')], null],
    ['no incidents', 'football', [], null],
  ]; // biome-ignore format: a table
  for (const [name, sport, incidents, score] of cases) {
    it(`is ${score?.join(':') ?? 'not known'} (${sport}: ${name})`, () => {
      assert.deepEqual(scoreOfIncidents(sport, incidents), score && { home: score[0], away: score[1] });
    });
  }
});

describe('a match without a stated score', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(async () => {
    await bench.events();
    bench.nextMatch();
  });

  const goals = (...minutes: number[]): Incident[] =>
    minutes.map((minute) => ({ kind: 'goal', minute, side: 'home', player: { name: `Player ${minute}` } }));
  const shown = async (id: number) => (await bench.card(id)).participants.map((side) => side.score);
  const reported = async () => types(await bench.events());

  it('a live match has the score that its incidents give, and a goal is reported by one event', async () => {
    const id = await bench.accept({ status: 'live' });
    assert.deepEqual(await shown(id), [0, 0]);
    await bench.accept({ incidents: goals(10) });
    await bench.accept({ incidents: goals(10, 20) });
    assert.deepEqual(await shown(id), [2, 0]);
    await bench.accept({ incidents: goals(20) });
    assert.deepEqual(await shown(id), [1, 0]);
    await bench.accept({ incidents: [] });
    assert.deepEqual(await shown(id), [0, 0]);
    assert.deepEqual(await reported(), [
      'match.created',
      'match.goal',
      'match.goal',
      'match.goal_cancelled',
      'match.goal_cancelled',
    ]);
  });

  it('a match gets a score if the incidents arrive before the status', async () => {
    const id = await bench.accept({ incidents: goals(10) });
    assert.deepEqual(await shown(id), [null, null]);
    await bench.accept({ status: 'finished' });
    assert.deepEqual(await shown(id), [1, 0]);
  });

  it('a stated score takes precedence over any incidents', async () => {
    const id = await bench.accept({ status: 'live', incidents: goals(10) });
    await bench.accept({ score: { home: 0, away: 0 } });
    assert.deepEqual(await shown(id), [0, 0]);
    await bench.accept({ incidents: goals(10, 20) });
    assert.deepEqual(await shown(id), [0, 0]);
    await bench.accept({ score: null });
    assert.deepEqual(await shown(id), [2, 0]);
  });

  it('a cancelled or scheduled match has no score', async () => {
    const id = await bench.accept({ status: 'live', incidents: goals(10) });
    await bench.accept({ status_detail: 'cancelled' });
    assert.deepEqual(await shown(id), [null, null]);
    bench.nextMatch();
    assert.deepEqual(await shown(await bench.accept({ incidents: goals(10) })), [null, null]);
  });

  it('a match from history has no score, because the incidents may be incomplete', async () => {
    const given = bench.update({ status: 'finished', incidents: goals(10) }, { provider: 'openfootball' });
    const [result] = await applyUpdates(bench.deps, [feedUpdate.parse(given)], { events: false });
    assert.deepEqual(await shown(result!.matchId!), [null, null]);
  });

  it('a second provider’s stated score is shown unless the match’s incidents already add up to a higher score', async () => {
    const id = await bench.accept({ status: 'live' });
    const theirs = { provider: 'second' };
    await bench.accept({ status: 'live', score: { home: 0, away: 1 } }, theirs);
    assert.deepEqual(await shown(id), [0, 1]);
    await bench.accept({ incidents: goals(10, 20) });
    assert.deepEqual(await shown(id), [2, 0]);
    await bench.feed(bench.update({ status: 'live', score: { home: 0, away: 2 } }, theirs));
    assert.deepEqual(await shown(id), [2, 0]);
    await bench.accept({ score: { home: 2, away: 1 } });
    assert.deepEqual(await shown(id), [2, 1]);
  });

  it('a repeated update leaves the score unchanged', async () => {
    const update = bench.update({ status: 'finished', incidents: goals(10, 20) });
    const [first] = await bench.feed(update);
    const before = await bench.footprint(first!.matchId!);
    assert.equal((await bench.feed(update))[0]!.outcome, 'unchanged');
    assert.equal((await bench.feed(bench.update({ status: 'finished' })))[0]!.outcome, 'unchanged');
    assert.deepEqual(await bench.footprint(first!.matchId!), before);
  });
});
