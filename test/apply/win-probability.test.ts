import assert from 'node:assert/strict';
import { storeRates } from '../../src/in-play/stored-rates.ts';
import { matchRates } from '../../src/jobs/match-rates.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';
import { startTestJob } from '../support/jobs.ts';
import { rateMatch } from '../support/rates.ts';
import { until } from '../support/until.ts';

const CREDIT = 'Win probability by Touchline';
const LIVE = { status: 'live', status_detail: 'in_play' } as const;
const goal = (id: string, side: 'home' | 'away', minute: number) => ({
  id,
  kind: 'goal' as const,
  side,
  minute,
  payload: { goal_type: 'regular' },
});
const live = (minute: number, home: number, away: number, over: MatchFields = {}): MatchFields => ({
  ...LIVE,
  minute,
  score: { home, away },
  ...over,
});

describe('win probability for a match that no provider forecasts', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(() => bench.nextMatch());

  const rate = (id: number) => rateMatch(bench.db.pool, id, bench.now);
  /** Creates a fixture with rates. */
  async function fixture(over: MatchFields = {}) {
    const id = await bench.accept(over);
    await rate(id);
    await bench.events();
    return id;
  }
  const chances = async (id: number) => (await bench.card(id)).win_probability;

  it('appears on the card once expected goals are stored, without an event, and names the service as its source', async () => {
    const id = await bench.accept();
    assert.equal(await chances(id), undefined);
    await bench.events();
    assert.deepEqual(await rate(id), [id]);
    assert.deepEqual(await bench.events(), []);
    const card = await bench.card(id);
    assert.deepEqual(card.win_probability, { homeWin: 42.7, draw: 28.2, awayWin: 29.1 });
    assert.ok(card.meta.sources.includes(CREDIT), String(card.meta.sources));
    assert.deepEqual(await rate(id), [], 'the same rates change nothing');
  });

  it('changes in the same update as the score, and is part of that update’s events', async () => {
    const id = await fixture();
    await bench.accept(live(1, 0, 0));
    const [started] = await bench.events();
    assert.deepEqual(started!.data.win_probability, await chances(id));
    const before = (await chances(id))!;
    await bench.accept(live(20, 1, 0, { incidents: [goal('g1', 'home', 20)] }));
    const after = (await chances(id))!;
    assert.ok(after.homeWin > before.homeWin + 15, `${before.homeWin} ${after.homeWin}`);
    const events = await bench.events();
    assert.deepEqual(types(events), ['match.goal']);
    assert.deepEqual(events[0]!.data.win_probability, after);
  });

  it('equals the probability at that minute without the goal once a goal is revoked', async () => {
    const id = await fixture();
    await bench.accept(live(30, 0, 0));
    const level = await chances(id);
    await bench.accept(live(30, 1, 0, { incidents: [goal('g1', 'home', 30)] }));
    await bench.accept(live(30, 0, 0, { incidents: [] }));
    assert.deepEqual(await chances(id), level);
    assert.ok(types(await bench.events()).includes('match.goal_cancelled'));
  });

  it('counts a player’s second yellow card as one player fewer', async () => {
    const id = await fixture();
    await bench.accept(live(30, 0, 0));
    const before = (await chances(id))!;
    const yellow = (number: string) => ({
      id: number,
      kind: 'card' as const,
      side: 'home' as const,
      minute: 30,
      player: { name: 'Same Player' },
      payload: { card_type: 'yellow' },
    });
    await bench.accept({ incidents: [yellow('c1')] });
    assert.deepEqual(await chances(id), before);
    await bench.accept({ incidents: [yellow('c1'), yellow('c2')] });
    assert.ok((await chances(id))!.homeWin < before.homeWin - 10);
  });

  it('is certain at the end, and follows a corrected result', async () => {
    const id = await fixture();
    await bench.accept(live(89, 1, 0));
    await bench.accept({ status: 'finished', status_detail: 'ended', score: { home: 1, away: 0 } });
    assert.deepEqual(await chances(id), { homeWin: 100, draw: 0, awayWin: 0 });
    await bench.accept({ status: 'finished', status_detail: 'ended', score: { home: 1, away: 1 } });
    assert.deepEqual(await chances(id), { homeWin: 0, draw: 100, awayWin: 0 });
  });

  it('is absent for an abandoned or cancelled match, and follows the stored rates for a postponed match', async () => {
    const id = await fixture();
    const before = await chances(id);
    await bench.accept({ status: 'scheduled', status_detail: 'postponed' });
    assert.deepEqual(await chances(id), before);
    await bench.accept(live(30, 1, 0));
    await bench.accept({ status: 'finished', status_detail: 'abandoned', score: { home: 1, away: 0 } });
    const card = await bench.card(id);
    assert.equal(card.win_probability, undefined);
    assert.ok(!card.meta.sources.includes(CREDIT));
    assert.equal(card.meta.completeness.win_probability, 'none');
  });

  it("is replaced by a provider's block until that provider withdraws it", async () => {
    const id = await fixture();
    const theirs = { homeWin: 70, draw: 20, awayWin: 10 };
    await bench.accept({ win_probability: theirs });
    let card = await bench.card(id);
    assert.deepEqual(card.win_probability, theirs);
    assert.ok(!card.meta.sources.includes(CREDIT));
    await bench.events();
    await bench.accept(live(20, 1, 0));
    assert.deepEqual(await chances(id), theirs);
    assert.equal((await bench.events()).at(-1)!.data.win_probability, undefined);
    assert.deepEqual(await rate(id), []);
    await bench.accept({ win_probability: null });
    card = await bench.card(id);
    assert.ok(card.win_probability!.homeWin > 55 && card.win_probability!.homeWin < 75);
    assert.ok(card.meta.sources.includes(CREDIT));
  });

  it('ignores rates for former sides, so it disappears after the sides change until new rates are stored', async () => {
    const id = await fixture();
    const { home, away } = bench.update().match;
    await bench.accept({ home: away, away: home });
    assert.equal(await chances(id), undefined);
    assert.deepEqual(await rate(id), [id]);
    assert.equal((await chances(id))!.homeWin, 42.7);
  });

  it('stays unchanged after an update without news', async () => {
    const id = await fixture();
    await bench.accept(live(20, 1, 0));
    const footprint = await bench.footprint(id);
    await bench.feed(bench.update(live(20, 1, 0)));
    assert.deepEqual(await bench.footprint(id), footprint);
  });

  it('disappears with a deleted match, and rates that arrive afterwards are not stored', async () => {
    const id = await fixture();
    const { rows } = await bench.db.pool.query('SELECT *, scheduled_start::text FROM match_rates WHERE match_id = $1', [
      id,
    ]);
    await bench.accept({ deleted: true } as MatchFields);
    const late = { ...rows[0], expected: { home: 1, away: 1 } };
    await storeRates(bench.db.pool, [late], bench.now);
    assert.equal((await bench.db.pool.query('SELECT FROM match_rates WHERE match_id = $1', [id])).rowCount, 0);
  });

  describe('the job', () => {
    const job = async (seen: () => Promise<boolean>) => {
      const { pool, clock, changes } = bench.deps;
      const running = startTestJob(matchRates, { pool, clock, changes });
      try {
        await until('the job has run', seen);
      } finally {
        await running.stop();
      }
    };
    const basis = async (id: number) =>
      (await bench.db.pool.query('SELECT basis FROM match_rates WHERE match_id = $1', [id])).rows[0]?.basis as string;

    it('stores rates for a match that is already live, from football averages if the tournament is new', async () => {
      const tournament = { id: 'new', name: 'New Cup', country: 'GB-ENG' };
      const id = await bench.accept({ tournament, ...live(70, 2, 0) });
      bench.published = [];
      await job(async () => (await chances(id)) !== undefined);
      assert.equal(await basis(id), 'average');
      assert.ok((await chances(id))!.homeWin > 95);
      assert.ok(bench.published.includes(id));
    });

    it('computes an upcoming match’s rates again after an hour if matches have changed, but never those of a live match', async () => {
      const tournament = { id: 'again', name: 'Again League', country: 'GB-ENG' };
      const fixture = (id: string, over: MatchFields = {}): MatchFields => ({
        id,
        tournament,
        home: { name: `Again ${id}` },
        away: { name: `Other ${id}` },
        scheduled_start: '2024-05-06T14:00:00Z',
        ...over,
      });
      const soon = await bench.accept(fixture('soon'));
      const begun = await bench.accept(fixture('begun', live(10, 0, 0)));
      await job(async () => (await basis(soon)) !== undefined);
      const result = fixture('result', {
        scheduled_start: '2024-05-01T10:00:00Z',
        status: 'finished',
        score: { home: 4, away: 0 },
      });
      const played = await bench.accept(result);
      const { rows } = await bench.db.pool.query('SELECT sport, tournament_id FROM match WHERE id = $1', [played]);
      await bench.db.pool.query(
        'INSERT INTO match_change (match_id, sport, tournament_id, change_cursor) VALUES ($1, $2, $3, 1)',
        [played, rows[0].sport, rows[0].tournament_id],
      );
      bench.now += 3_601_000;
      await job(async () => (await basis(soon)) === 'model');
      assert.equal(await basis(begun), 'average');
    });

    it('stores model rates for matches within 14 days, and new rates for a moved match', async () => {
      const tournament = { id: 'known', name: 'Known League', country: 'GB-ENG' };
      const { home, away } = bench.update().match;
      const pairing = (own: object) => ({ tournament, home, away, ...own });
      for (const [index, day] of ['2023-09-01', '2023-10-01', '2023-11-01', '2023-12-01'].entries())
        await bench.feed(
          bench.update(
            pairing({
              id: `past-${index}`,
              scheduled_start: `${day}T14:00:00Z`,
              status: 'finished',
              score: { home: 3, away: 0 },
            }),
          ),
        );
      const soon = await bench.accept(pairing({ id: 'soon', scheduled_start: '2024-05-10T14:00:00Z' }));
      const later = await bench.accept(pairing({ id: 'later', scheduled_start: '2024-06-10T14:00:00Z' }));
      await job(async () => (await chances(soon)) !== undefined);
      assert.equal(await basis(soon), 'model');
      assert.equal(await basis(later), undefined);
      const first = (await chances(soon))!;
      assert.ok(first.homeWin > 50, `${first.homeWin}`);
      await bench.accept(pairing({ id: 'soon', scheduled_start: '2024-05-12T14:00:00Z' }));
      await job(async () => {
        const { rows } = await bench.db.pool.query(
          'SELECT r.scheduled_start = m.scheduled_start AS same FROM match_rates r JOIN match m ON m.id = r.match_id WHERE m.id = $1',
          [soon],
        );
        return rows[0].same as boolean;
      });
    });
  });
});
