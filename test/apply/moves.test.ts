import assert from 'node:assert/strict';
import { STATUS_DETAILS, type StatusDetail } from '../../src/wire/match.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';

const score = (home: number, away: number) => ({ score: { home, away } });
const LIVE: MatchFields = { status: 'live', ...score(1, 0) };
const FINISHED: MatchFields = { status: 'finished', ...score(1, 0) };
const CANCELLED: MatchFields = { status_detail: 'cancelled' };
const SUSPENDED: MatchFields = { status_detail: 'suspended' };

interface Move {
  from: MatchFields[];
  to: MatchFields;
  /** What the card has to show after the transition. */
  shows: { status: string; status_detail: string; score: [number | null, number | null] };
  events: string[];
}

/** Every transition that CONTRACT section 2 allows, from the states that lead to it. */
const ALLOWED: Record<string, Move> = {
  'scheduled to live': {
    from: [{}],
    to: { status: 'live' },
    shows: { status: 'live', status_detail: 'in_play', score: [0, 0] },
    events: ['match.started'],
  },
  'scheduled to live, by the detail alone': {
    from: [{}],
    to: { status_detail: 'in_play' },
    shows: { status: 'live', status_detail: 'in_play', score: [0, 0] },
    events: ['match.started'],
  },
  'scheduled to postponed': {
    from: [{}],
    to: { status_detail: 'postponed' },
    shows: { status: 'scheduled', status_detail: 'postponed', score: [null, null] },
    events: ['match.postponed'],
  },
  'postponed to a new date': {
    from: [{ status_detail: 'postponed' }],
    to: { status_detail: 'not_started', scheduled_start: '2024-05-20T14:00:00Z' },
    shows: { status: 'scheduled', status_detail: 'not_started', score: [null, null] },
    events: ['match.rescheduled'],
  },
  'scheduled to delayed': {
    from: [{}],
    to: { status_detail: 'delayed' },
    shows: { status: 'scheduled', status_detail: 'delayed', score: [null, null] },
    events: ['match.rescheduled'],
  },
  'scheduled to finished: a walkover': {
    from: [{}],
    to: { status_detail: 'walkover', ...score(3, 0) },
    shows: { status: 'finished', status_detail: 'walkover', score: [3, 0] },
    events: ['match.score_changed', 'match.finished'],
  },
  'scheduled to finished: awarded': {
    from: [{}],
    to: { status_detail: 'awarded', ...score(0, 3) },
    shows: { status: 'finished', status_detail: 'awarded', score: [0, 3] },
    events: ['match.score_changed', 'match.finished'],
  },
  'scheduled to finished: cancelled': {
    from: [{}],
    to: CANCELLED,
    shows: { status: 'finished', status_detail: 'cancelled', score: [null, null] },
    events: ['match.cancelled'],
  },
  'scheduled to finished: the result only': {
    from: [{}],
    to: { status: 'finished', ...score(2, 2) },
    shows: { status: 'finished', status_detail: 'ended', score: [2, 2] },
    events: ['match.score_changed', 'match.finished'],
  },
  'live to finished': {
    from: [LIVE],
    to: { status: 'finished' },
    shows: { status: 'finished', status_detail: 'ended', score: [1, 0] },
    events: ['match.finished'],
  },
  'live to abandoned': {
    from: [LIVE],
    to: { status_detail: 'abandoned' },
    shows: { status: 'finished', status_detail: 'abandoned', score: [1, 0] },
    events: ['match.abandoned'],
  },
  'live to cancelled': {
    from: [LIVE],
    to: CANCELLED,
    shows: { status: 'finished', status_detail: 'cancelled', score: [null, null] },
    events: ['match.cancelled'],
  },
  'live to suspended': {
    from: [LIVE],
    to: SUSPENDED,
    shows: { status: 'live', status_detail: 'suspended', score: [1, 0] },
    events: ['match.suspended'],
  },
  'interrupted to suspended': {
    from: [LIVE, { status_detail: 'interrupted' }],
    to: SUSPENDED,
    shows: { status: 'live', status_detail: 'suspended', score: [1, 0] },
    events: ['match.suspended'],
  },
  'suspended to play': {
    from: [LIVE, SUSPENDED],
    to: { status_detail: 'in_play' },
    shows: { status: 'live', status_detail: 'in_play', score: [1, 0] },
    events: ['match.resumed'],
  },
  'live to scheduled: suspended to another day': {
    from: [LIVE],
    to: { status: 'scheduled', status_detail: 'suspended', scheduled_start: '2024-05-02T12:00:00Z' },
    shows: { status: 'scheduled', status_detail: 'suspended', score: [1, 0] },
    events: ['match.suspended'],
  },
  'suspended, then to another day': {
    from: [LIVE, SUSPENDED],
    to: { status: 'scheduled' },
    shows: { status: 'scheduled', status_detail: 'suspended', score: [1, 0] },
    events: ['match.suspended'],
  },
  'suspended to another day, said again': {
    from: [LIVE, { status: 'scheduled', status_detail: 'suspended' }],
    to: { ...SUSPENDED, referee: 'R' },
    shows: { status: 'scheduled', status_detail: 'suspended', score: [1, 0] },
    events: [],
  },
  'suspended to another day, said again without the detail': {
    from: [LIVE, { status: 'scheduled', status_detail: 'suspended' }],
    to: { status: 'scheduled', referee: 'R' },
    shows: { status: 'scheduled', status_detail: 'suspended', score: [1, 0] },
    events: [],
  },
  'suspended to another day, then on': {
    from: [LIVE, { status: 'scheduled', status_detail: 'suspended' }],
    to: { status: 'live' },
    shows: { status: 'live', status_detail: 'in_play', score: [1, 0] },
    events: ['match.resumed'],
  },
  'live to scheduled: postponed': {
    from: [LIVE],
    to: { status_detail: 'postponed', score: null },
    shows: { status: 'scheduled', status_detail: 'postponed', score: [null, null] },
    events: ['match.postponed'],
  },
  'finished to live, a correction': {
    from: [FINISHED],
    to: { status: 'live' },
    shows: { status: 'live', status_detail: 'in_play', score: [1, 0] },
    events: ['match.correction'],
  },
  'finished to finished with another score, a correction': {
    from: [FINISHED],
    to: score(1, 1),
    shows: { status: 'finished', status_detail: 'ended', score: [1, 1] },
    events: ['match.correction'],
  },
  'finished to awarded, a correction': {
    from: [FINISHED],
    to: { status_detail: 'awarded', ...score(0, 3) },
    shows: { status: 'finished', status_detail: 'awarded', score: [0, 3] },
    events: ['match.correction'],
  },
  'finished to cancelled, a correction that takes the score away': {
    from: [FINISHED],
    to: CANCELLED,
    shows: { status: 'finished', status_detail: 'cancelled', score: [null, null] },
    events: ['match.correction'],
  },
};

const FORBIDDEN: Record<string, { from: MatchFields[]; to: MatchFields; path: string; code: string }> = {
  'finished to scheduled': {
    from: [FINISHED],
    to: { status: 'scheduled' },
    path: 'match.status',
    code: 'forbidden_move',
  },
  'finished to postponed': {
    from: [FINISHED],
    to: { status_detail: 'postponed' },
    path: 'match.status',
    code: 'forbidden_move',
  },
  'finished to suspended on another day': {
    from: [FINISHED],
    to: { status: 'scheduled', status_detail: 'suspended' },
    path: 'match.status',
    code: 'forbidden_move',
  },
  'cancelled to scheduled': {
    from: [CANCELLED],
    to: { status: 'scheduled' },
    path: 'match.status',
    code: 'forbidden_move',
  },
  'live to scheduled': { from: [LIVE], to: { status: 'scheduled' }, path: 'match.status', code: 'forbidden_move' },
  'live to delayed': {
    from: [LIVE],
    to: { status_detail: 'delayed' },
    path: 'match.status',
    code: 'forbidden_move',
  },
  'a detail of another status': {
    from: [{}],
    to: { status: 'live', status_detail: 'ended' },
    path: 'match.status_detail',
    code: 'status_mismatch',
  },
  'a score before the start': { from: [{}], to: score(0, 0), path: 'match.score', code: 'not_started' },
  'a new match with a score before its start': {
    from: [],
    to: score(0, 0),
    path: 'match.score',
    code: 'not_started',
  },
  'a final match that is not over': {
    from: [LIVE],
    to: { finalized: true },
    path: 'match.finalized',
    code: 'not_finished',
  },
  'an official line-up to a preliminary one': {
    from: [{ lineup_confirmed: true }],
    to: { lineup_confirmed: false },
    path: 'match.lineup_confirmed',
    code: 'forbidden_move',
  },
  'an official line-up to none': {
    from: [{ lineup_confirmed: true }],
    to: { lineup_confirmed: null },
    path: 'match.lineup_confirmed',
    code: 'forbidden_move',
  },
  'a new match without a start': {
    from: [],
    to: { scheduled_start: undefined },
    path: 'match.scheduled_start',
    code: 'required',
  },
};

const LINEUPS: [from: boolean | null, to: boolean | null, events: string[]][] = [
  [null, null, []],
  [null, false, ['match.lineup_updated']],
  [null, true, ['match.lineup_confirmed']],
  [false, false, []],
  [false, true, ['match.lineup_confirmed']],
  [false, null, ['match.lineup_updated']],
  [true, true, []],
];

describe('match status transitions', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(() => bench.nextMatch());

  async function arrive(from: MatchFields[]): Promise<void> {
    for (const fields of from) await bench.accept(fields);
    await bench.events();
  }

  for (const [name, { from, to, shows, events }] of Object.entries(ALLOWED)) {
    it(`the transition ${name} is allowed`, async () => {
      await arrive(from);
      const id = await bench.accept(to);
      const { status, status_detail, participants } = await bench.card(id);
      assert.deepEqual({ status, status_detail, score: participants.map((side) => side.score) }, shows);
      const reported = await bench.events();
      assert.deepEqual(types(reported), events);
      for (const { data } of reported) {
        assert.deepEqual([data.match.status, data.match.status_detail], [shows.status, shows.status_detail]);
        assert.deepEqual([data.match.home.score, data.match.away.score], shows.score);
      }
    });
  }

  for (const [name, { from, to, path, code }] of Object.entries(FORBIDDEN)) {
    it(`the transition ${name} is refused`, async () => {
      await arrive(from);
      const before = await bench.db.pool.query('SELECT item, detail FROM match_card ORDER BY match_id');
      const [result] = await bench.feed(bench.update({ ...to, referee: 'must not be taken' }));
      assert.equal(result!.outcome, 'rejected');
      assert.deepEqual(
        result!.errors!.map((fault) => [fault.path, fault.code]),
        [[path, code]],
      );
      assert.deepEqual(
        (await bench.db.pool.query('SELECT item, detail FROM match_card ORDER BY match_id')).rows,
        before.rows,
      );
      assert.deepEqual(await bench.events(), []);
    });
  }

  for (const [from, to, events] of LINEUPS) {
    it(`lineup_confirmed from ${from} to ${to} is allowed`, async () => {
      await arrive([{ lineup_confirmed: from }]);
      const id = await bench.accept({ lineup_confirmed: to, referee: 'R' });
      assert.equal((await bench.card(id)).lineup_confirmed, to);
      assert.deepEqual(types(await bench.events()), events);
    });
  }

  it('lineup_confirmed stays unchanged when an update does not mention it', async () => {
    await arrive([{ lineup_confirmed: true }]);
    const id = await bench.accept({ status: 'live' });
    assert.equal((await bench.card(id)).lineup_confirmed, true);
  });

  it('a correction reports the previous and the new values', async () => {
    await arrive([FINISHED]);
    await bench.accept({
      status_detail: 'after_penalties',
      ...score(1, 1),
      period_scores: [{ period: 'PEN', home: 4, away: 3 }],
    });
    const [{ type, data } = assert.fail('no event')] = await bench.events();
    assert.equal(type, 'match.correction');
    assert.deepEqual(data.previous, { status_detail: 'ended', away_score: 0, period_scores: [] });
    assert.deepEqual(data.changes, {
      status_detail: 'after_penalties',
      away_score: 1,
      period_scores: [{ period: 'PEN', home: 4, away: 3 }],
    });
  });

  it('each status detail can be set, and belongs to one status', async () => {
    for (const [detail, { status }] of Object.entries(STATUS_DETAILS) as [StatusDetail, { status: string }][]) {
      bench.nextMatch();
      const id = await bench.accept({ status_detail: detail });
      const card = await bench.card(id);
      assert.deepEqual([card.status, card.status_detail], [status, detail]);
    }
  });

  it('an unknown kick-off is stored as midnight, whatever time the update gives', async () => {
    const id = await bench.accept({ scheduled_start: '2024-05-01T14:00:00Z', time_tbd: true });
    let card = await bench.card(id);
    assert.deepEqual([card.scheduled_start, card.time_tbd], ['2024-05-01T00:00:00Z', true]);
    await bench.accept({ scheduled_start: '2024-05-01T16:30:00+02:00' });
    card = await bench.card(id);
    assert.deepEqual([card.scheduled_start, card.time_tbd], ['2024-05-01T14:30:00Z', false]);
  });

  it('a minute is shown only during play', async () => {
    const id = await bench.accept({ status: 'live', minute: 88 });
    assert.equal((await bench.card(id)).minute, 88);
    await bench.accept({ status: 'finished', minute: 90 });
    assert.equal((await bench.card(id)).minute, null);
  });
});
