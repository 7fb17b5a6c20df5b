import assert from 'node:assert/strict';
import { applyUpdates } from '../../src/apply/apply.ts';
import { countPendingUpdates } from '../../src/apply/resolve/pending-updates.ts';
import type { ApplyResult } from '../../src/apply/update-outcomes.ts';
import { feedUpdate } from '../../src/wire/feed-update.ts';
import { FOOTBALL_GIVEN } from '../support/blocks.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';

const SOURCE = { provider: 'schochastics' };
const LEAGUE = { id: 'pairs', name: 'League of pairs', country: 'GB-ENG' };

describe('history updates without a date', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
    const tournament = { ...LEAGUE, sport: 'football', single_home_fixture: true };
    await bench.feed({
      schema: 1,
      kind: 'tournament',
      provider: 'live',
      observed_at: new Date(bench.now).toISOString(),
      tournament,
    });
  });
  after(() => bench.db.drop());
  beforeEach(async () => {
    await bench.events();
    await bench.db.pool.query('DELETE FROM match_pending');
    bench.nextMatch();
  });

  const undated = (fields: MatchFields = {}, over: object = SOURCE) =>
    bench.update(
      { id: bench.other(), tournament: LEAGUE, scheduled_start: undefined, lineups: FOOTBALL_GIVEN.lineups, ...fields },
      over,
    );
  const importing = (...updates: ReturnType<typeof undated>[]): Promise<ApplyResult[]> =>
    applyUpdates(
      bench.deps,
      updates.map((update) => feedUpdate.parse(update)),
      { events: false },
    );
  const outcomes = (results: ApplyResult[]) => results.map(({ outcome }) => outcome);

  it('wait for the match, whether sent once or twice, and appear on the card when the match is imported', async () => {
    const waiting = undated();
    assert.deepEqual(outcomes(await importing(waiting)), ['pending']);
    assert.deepEqual(outcomes(await importing(waiting)), ['pending']);
    assert.equal(await countPendingUpdates(bench.db.pool), 1);
    const [made] = await importing(bench.update({ tournament: LEAGUE }, { provider: 'openfootball' }));
    assert.equal(made!.outcome, 'accepted');
    const card = await bench.card(made!.matchId!);
    assert.deepEqual(
      card.lineups!.map(({ player_name }) => player_name),
      ['Striker'],
    );
    assert.deepEqual(card.meta.sources, ['openfootball, CC0', 'schochastics/football-data, ODC-BY']);
    assert.equal(await countPendingUpdates(bench.db.pool), 0);
    assert.deepEqual(outcomes(await importing(waiting)), ['unchanged']);
    assert.deepEqual(await bench.events(), []);
  });

  it('appear on the card of a match that a live feed creates, without an event of its own', async () => {
    await importing(undated());
    const id = await bench.accept({ tournament: LEAGUE });
    assert.equal((await bench.card(id)).lineups!.length, 1);
    assert.deepEqual(types(await bench.events()), ['match.created']);
  });

  it('are applied for each provider, but only the newest update from each', async () => {
    const referee = (name: string, over = {}) => undated({ referee: name }, { ...SOURCE, ...over });
    const late = { observed_at: new Date(bench.now - 1_000).toISOString() };
    await importing(referee('Old'));
    await importing(referee('New'));
    await importing(referee('Late', late));
    await importing(undated({ attendance: 5 }, { provider: 'wyscout' }));
    const id = await bench.accept({ tournament: LEAGUE });
    const card = await bench.card(id);
    assert.deepEqual([card.referee, card.attendance], ['New', 5]);
  });

  it('wait even if the rest of the batch is rejected', async () => {
    const bad = undated({ id: 'bad', sport: 'quidditch' });
    assert.deepEqual(outcomes(await importing(undated(), bad)), ['pending', 'rejected']);
    assert.equal(await countPendingUpdates(bench.db.pool), 1);
  });

  it('do not block the match if they are invalid, and are stored with the reason', async () => {
    await importing(undated({ score: { home: 1, away: 0 } }));
    const id = await bench.accept({ tournament: LEAGUE });
    assert.equal((await bench.card(id)).lineups, undefined);
    const { rows } = await bench.db.pool.query('SELECT provider, errors FROM feed_rejection');
    assert.deepEqual(
      rows.map(({ provider, errors }) => [provider, errors[0].path]),
      [['schochastics', 'match.score']],
    );
  });

  it('are rejected if the pairing does not identify a match, or if they come from a feed', async () => {
    const fault = (result: ApplyResult | undefined) => [result!.outcome, result!.errors?.[0]?.path];
    const refused = ['rejected', 'match.scheduled_start'];
    const [cup] = await importing(undated({ tournament: { id: 'cup', name: 'A cup', country: 'GB-ENG' } }));
    assert.deepEqual(fault(cup), refused);
    const [fed] = await bench.feed(undated());
    assert.deepEqual(fault(fed), refused);
    assert.equal(await countPendingUpdates(bench.db.pool), 0);
  });
});
