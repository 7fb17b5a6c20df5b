import assert from 'node:assert/strict';
import { applyUpdates } from '../../src/apply/apply.ts';
import { renderCards } from '../../src/apply/write/render-cards.ts';
import { feedUpdate, type MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { FOOTBALL_GIVEN } from '../support/blocks.ts';
import { type Envelope, type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';

type Incident = NonNullable<MatchFields['incidents']>[number];

/** A provider that ranks below every live feed. */
const WORSE = { provider: 'openfootball' };
const EQUAL = { provider: 'another-live' };

describe('applying updates', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(async () => {
    await bench.events();
    bench.nextMatch();
  });

  const at = (seconds: number) => new Date(bench.now + seconds * 1_000).toISOString();
  const count = async (sql: string) => Number((await bench.db.pool.query(`SELECT count(*) FROM ${sql}`)).rows[0].count);

  it('a new match gets a card and an event', async () => {
    const id = await bench.accept({
      venue: { name: 'The Ground', country: 'GB-ENG', city: 'Town', capacity: 100 },
      home: { id: 'h-ru', name: 'Spartak', name_ru: 'Спартак', country: 'RU' },
    });
    const shown = await bench.card(id);
    assert.deepEqual([shown.venue, shown.venue_city, shown.venue_capacity], ['The Ground', 'Town', 100]);
    assert.deepEqual([shown.participants[0]!.score, shown.participants[0]!.name_ru], [null, 'Спартак']);
    assert.equal(shown.participants[0]!.image_url, `/v1/participant/${shown.participants[0]!.participant_id}/image`);
    assert.equal(shown.updated_at, `${new Date(bench.now).toISOString().slice(0, 19)}Z`);
    assert.deepEqual(types(await bench.events()), ['match.created']);
    assert.ok(bench.published.includes(id));
  });

  it('a card shows the season, the round, and either the tournament’s or the match’s importance, whichever is higher', async () => {
    const id = await bench.accept({ importance: 5, round_num: 4 });
    assert.deepEqual([(await bench.card(id)).importance, (await bench.card(id)).extra.round], [30, 'Round 4']);
    await bench.accept({ importance: 95 });
    assert.equal((await bench.card(id)).importance, 95);
  });

  describe('a repeated update', () => {
    const FULL: MatchFields = {
      status: 'live',
      minute: 12,
      score: { home: 1, away: 0 },
      referee: 'R',
      lineup_confirmed: true,
      venue: { id: 'v', name: 'The Ground', country: 'GB-ENG' },
      ...FOOTBALL_GIVEN,
    };

    it('changes no data and reports no event, whether its observation time is the same or later', async () => {
      const update = bench.update(FULL);
      const [first] = await bench.feed(update);
      const before = await bench.footprint(first!.matchId!);
      bench.now += 60_000;
      bench.published.length = 0;
      for (const observed_at of [update.observed_at, at(0)]) {
        const [again] = await bench.feed({ ...update, observed_at });
        assert.deepEqual(again, { index: 0, outcome: 'unchanged', matchId: first!.matchId });
        assert.deepEqual(await bench.footprint(first!.matchId!), before);
      }
      assert.deepEqual(bench.published, []);
    });

    it('changes no data if the keys are in a different order', async () => {
      const update = bench.update(FULL);
      const [first] = await bench.feed(update);
      const before = await bench.footprint(first!.matchId!);
      const reversed = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(reversed);
        if (typeof value !== 'object' || value === null) return value;
        return Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, member]) => [key, reversed(member)]),
        );
      };
      const [again] = await bench.feed(reversed(update) as MatchUpdateInput);
      assert.equal(again!.outcome, 'unchanged');
      assert.deepEqual(await bench.footprint(first!.matchId!), before);
    });

    it('changes no data if it is sent in pieces', async () => {
      const id = await bench.accept(FULL);
      const before = await bench.footprint(id);
      for (const [field, value] of Object.entries(FULL)) {
        const [again] = await bench.feed(bench.update({ [field]: value }));
        assert.equal(again!.outcome, 'unchanged', field);
      }
      assert.deepEqual(await bench.footprint(id), before);
    });
  });

  describe('an outdated update', () => {
    it('an update that is older than the stored one from the same provider changes no data, in fields or in blocks', async () => {
      const newest: MatchFields = {
        status: 'live',
        score: { home: 2, away: 0 },
        referee: 'New',
        statistics: FOOTBALL_GIVEN.statistics,
        incidents: [{ id: 'a', kind: 'var' }],
        weather: FOOTBALL_GIVEN.weather,
        votes: { vote: { vote1: 1, voteX: 1, vote2: 1 } },
      };
      const id = await bench.accept(newest);
      const before = await bench.footprint(id);
      const old = { observed_at: at(-30) };
      const late: MatchFields = {
        status: 'scheduled',
        score: { home: 1, away: 0 },
        referee: 'Old',
        statistics: [],
        incidents: [],
        weather: null,
        votes: null,
        scheduled_start: '2024-05-09T14:00:00Z',
        home: { id: 'other', name: 'Another side', country: 'GB-ENG' },
      };
      const [result] = await bench.feed(bench.update(late, old));
      assert.deepEqual([result!.outcome, result!.matchId], ['unchanged', id]);
      assert.deepEqual(await bench.footprint(id), before);
      // A field that this provider has never sent is applied, even if the update is old.
      const [news] = await bench.feed(bench.update({ attendance: 7 }, old));
      assert.equal(news!.outcome, 'accepted');
      assert.equal((await bench.card(id)).attendance, 7);
    });

    it('an update that is older than the last one that confirmed a block does not change that block', async () => {
      const block = (stat_name: string) => ({ statistics: [{ ...FOOTBALL_GIVEN.statistics[0]!, stat_name }] });
      const id = await bench.accept(block('Shots'));
      const between = { observed_at: at(1) };
      bench.now += 5_000;
      assert.equal((await bench.feed(bench.update(block('Shots'))))[0]!.outcome, 'unchanged');
      assert.equal((await bench.feed(bench.update(block('Corners'), between)))[0]!.outcome, 'unchanged');
      assert.equal((await bench.card(id)).statistics![0]!.stat_name, 'Shots');
    });

    it('an update from the future is rejected, because every later update would look outdated', async () => {
      const [result] = await bench.feed(bench.update({}, { observed_at: at(10 * 60) }));
      assert.deepEqual(
        result!.errors!.map(({ path, code }) => [path, code]),
        [['observed_at', 'in_future']],
      );
      assert.equal((await bench.feed(bench.update({}, { observed_at: at(60) })))[0]!.outcome, 'accepted');
    });
  });

  describe('a second provider', () => {
    const first: MatchFields = { status: 'live', score: { home: 1, away: 0 }, statistics: FOOTBALL_GIVEN.statistics };

    it("a match is found by its two sides, and gets the second provider's id too", async () => {
      const id = await bench.accept(first);
      const start = '2024-05-02T13:00:00Z';
      const [same] = await bench.feed(
        bench.update({ id: bench.other(), scheduled_start: start, attendance: 3 }, WORSE),
      );
      assert.deepEqual([same!.outcome, same!.matchId], ['accepted', id]);
      const card = await bench.card(id);
      assert.deepEqual([card.scheduled_start, card.attendance], ['2024-05-01T14:00:00Z', 3]);
      assert.deepEqual(card.meta.sources, ['live', 'openfootball, CC0']);
      const { rows } = await bench.db.pool.query(
        "SELECT provider FROM external_ref WHERE entity = 'match' AND entity_id = $1 ORDER BY 1",
        [id],
      );
      assert.deepEqual(
        rows.map((row) => row.provider),
        ['live', 'openfootball'],
      );
    });

    it('a match that starts three days earlier or later is a new match', async () => {
      const id = await bench.accept(first);
      const other = await bench.accept({ id: bench.other(), scheduled_start: '2024-05-04T14:00:01Z' }, WORSE);
      assert.notEqual(other, id);
    });

    it('a lower-ranked provider adds only missing data', async () => {
      const id = await bench.accept(first);
      const before = await bench.footprint(id);
      const worse: MatchFields = { status: 'finished', score: { home: 9, away: 9 }, statistics: [] };
      const [result] = await bench.feed(bench.update(worse, WORSE));
      assert.equal(result!.outcome, 'unchanged');
      assert.deepEqual(await bench.footprint(id), before);
    });

    it('a higher-ranked provider takes over fields and keeps them', async () => {
      await bench.feed(bench.update(first, WORSE));
      const id = await bench.accept({ score: { home: 2, away: 0 }, status: 'live', votes: FOOTBALL_GIVEN.votes });
      await bench.feed(bench.update({ ...first, status: 'finished', votes: null }, WORSE));
      const card = await bench.card(id);
      assert.deepEqual([card.status, card.participants[0]!.score, card.votes], ['live', 2, FOOTBALL_GIVEN.votes]);
    });

    it('an update from a provider that lags causes no forbidden transition, and the rest of the update is applied', async () => {
      const id = await bench.accept({ status: 'finished', score: { home: 1, away: 0 }, lineup_confirmed: true });
      const behind: MatchFields = { id: bench.other(), status: 'scheduled', lineup_confirmed: false, attendance: 10 };
      await bench.accept(behind, EQUAL);
      const card = await bench.card(id);
      assert.deepEqual([card.status, card.lineup_confirmed, card.attendance], ['finished', true, 10]);
      bench.nextMatch();
      const live = await bench.accept({ status: 'live' });
      await bench.accept({ ...behind, id: bench.other() }, EQUAL);
      assert.equal((await bench.card(live)).status, 'live');
    });

    it('an equally ranked provider that sends the same values does not become the source of these values', async () => {
      const id = await bench.accept(first);
      const before = await bench.footprint(id);
      for (const [fields, over] of [
        [{ ...first, id: bench.other() }, EQUAL],
        [first, {}],
        [{ ...first, id: bench.other() }, EQUAL],
      ] as const) {
        const [result] = await bench.feed(bench.update(fields, over));
        assert.equal(result!.outcome, 'unchanged');
      }
      assert.deepEqual(await bench.footprint(id), before);
    });
  });

  describe('an invalid update', () => {
    const bad: [name: string, fields: MatchFields, path: string, code: string][] = [
      ['unknown sport', { sport: 'quidditch' }, 'match.sport', 'unknown_sport'],
      ['unknown country of the tournament', { tournament: { name: 'T', country: 'XX' } }, 'match.tournament.country', 'unknown_country'],
      ['unknown country of a side', { home: { name: 'H', country: 'ZZ' } }, 'match.home.country', 'unknown_country'],
      ['unknown country of a venue', { venue: { name: 'V', country: 'QQ' } }, 'match.venue.country', 'unknown_country'],
      ['unknown country of a player', { incidents: [{ kind: 'goal' }, { kind: 'goal', assist: { id: '1', name: 'P', country: 'QQ' } }] }, 'match.incidents.1.assist.country', 'unknown_country'],
      ['a side against itself', { home: { name: 'Same', country: 'FR' }, away: { name: 'Same', country: 'FR' } }, 'match.away', 'same_sides'],
      ['a player as a side without an id', { away: { type: 'player', name: 'Somebody' } }, 'match.away.id', 'unidentified'],
    ]; // biome-ignore format: a table
    for (const [name, fields, path, code] of bad) {
      it(`an invalid update (${name}) is rejected as a whole, with the path, and leaves no data`, async () => {
        const stored = async () => [
          await count('tournament'),
          await count('season'),
          await count('participant'),
          await count('venue'),
          await count('external_ref'),
          await count('match'),
          await count('match_touch'),
        ];
        const before = await stored();
        const venue = { id: `new-${name}`, name: `New ${name}`, country: 'FR' };
        const tournament = { name: `New ${name}`, country: 'FR' };
        const [result] = await bench.feed(
          bench.update({ venue, tournament, lineups: FOOTBALL_GIVEN.lineups, ...fields }),
        );
        assert.equal(result!.outcome, 'rejected');
        assert.deepEqual(
          result!.errors!.map((fault) => [fault.path, fault.code]),
          [[path, code]],
        );
        assert.deepEqual(await stored(), before);
        assert.deepEqual(await bench.events(), []);
      });
    }

    it('a rejected update lists every error', async () => {
      const [result] = await bench.feed(
        bench.update({ sport: 'quidditch', home: { name: 'H', country: 'ZZ' }, venue: { name: 'V', country: 'QQ' } }),
      );
      assert.deepEqual(
        result!.errors!.map(({ path }) => path),
        ['match.sport', 'match.home.country', 'match.venue.country'],
      );
    });

    it('a rejected update does not affect the rest of the batch, in a feed or an import', async () => {
      for (const events of [true, false]) {
        const updates = [1, 2, 3, 4].map((number) => {
          bench.nextMatch();
          return feedUpdate.parse(bench.update(number === 2 ? { sport: 'quidditch' } : {}));
        });
        const results = await applyUpdates(bench.deps, updates, { events });
        assert.deepEqual(
          results.map(({ index, outcome }) => [index, outcome]),
          [
            [0, 'accepted'],
            [1, 'rejected'],
            [2, 'accepted'],
            [3, 'accepted'],
          ],
        );
        assert.equal(new Set(results.map(({ matchId }) => matchId)).size, 4);
      }
    });

    it('an update whose match id belongs to another sport is rejected', async () => {
      await bench.accept();
      const [result] = await bench.feed(
        bench.update({ sport: 'handball', tournament: { name: 'A handball league', country: 'FR' } }),
      );
      assert.deepEqual(
        result!.errors!.map(({ path, code }) => [path, code]),
        [['match.sport', 'other_sport']],
      );
    });
  });

  describe('a deleted match', () => {
    it('a deleted match disappears, is reported, and leaves a tombstone', async () => {
      const id = await bench.accept(FOOTBALL_GIVEN);
      const before = await bench.events();
      bench.published.length = 0;
      await bench.accept({ deleted: true });
      const [deleted, ...none] = await bench.events();
      assert.deepEqual([deleted!.type, deleted!.data.sequence, none], ['match.deleted', before.length + 1, []]);
      for (const table of ['match', 'match_card', 'match_block', 'match_player'])
        assert.equal(await count(`${table} WHERE ${table === 'match' ? 'id' : 'match_id'} = ${id}`), 0, table);
      const { rows } = await bench.db.pool.query(
        'SELECT tombstone FROM match_touch WHERE match_id = $1 AND tombstone IS NOT NULL',
        [id],
      );
      assert.equal(rows.length, 1);
      assert.equal(rows[0].tombstone.reason, 'deleted');
      assert.deepEqual(bench.published, [id]);
    });

    it('a match is deleted only once, and only if the deletion names an id of that match', async () => {
      const id = await bench.accept();
      const before = await bench.footprint(id);
      const [unknown] = await bench.feed(bench.update({ id: 'never given', deleted: true }));
      assert.equal(unknown!.outcome, 'unchanged');
      assert.deepEqual(await bench.footprint(id), before);
      await bench.accept({ deleted: true });
      assert.equal((await bench.feed(bench.update({ deleted: true })))[0]!.outcome, 'unchanged');
    });

    it('an outdated update does not bring a deleted match back, but a newer update does', async () => {
      const old = { observed_at: at(0) };
      const id = await bench.accept();
      await bench.accept({ deleted: true });
      await bench.events();
      assert.equal((await bench.feed(bench.update({ status: 'live' }, old)))[0]!.outcome, 'unchanged');
      assert.deepEqual(await bench.events(), []);
      const again = await bench.accept();
      assert.notEqual(again, id);
      assert.equal((await bench.events())[0]!.data.sequence, 1);
    });

    it('a match survives an outdated deletion and a deletion by a lower-ranked provider', async () => {
      await bench.accept({ id: bench.other() }, WORSE);
      const old = { observed_at: at(0) };
      const id = await bench.accept({ status: 'live' });
      for (const [fields, over] of [
        [{ deleted: true }, old],
        [{ id: bench.other(), deleted: true }, WORSE],
      ] as const)
        assert.equal((await bench.feed(bench.update(fields, over)))[0]!.outcome, 'unchanged');
      assert.equal((await bench.card(id)).status, 'live');
    });

    it('a deletion in an import creates no event', async () => {
      await bench.accept();
      await bench.events();
      const [result] = await applyUpdates(bench.deps, [feedUpdate.parse(bench.update({ deleted: true }))], {
        events: false,
      });
      assert.equal(result!.outcome, 'accepted');
      assert.deepEqual(await bench.events(), []);
    });
  });

  it('a match that moves to another tournament leaves a tombstone', async () => {
    const id = await bench.accept();
    await bench.db.pool.query('DELETE FROM match_touch');
    await bench.accept({ tournament: { id: 'l2', name: 'Second League', country: 'GB-ENG' } });
    const { rows } = await bench.db.pool.query('SELECT tombstone FROM match_touch WHERE match_id = $1 ORDER BY id', [
      id,
    ]);
    assert.deepEqual(
      rows.map(({ tombstone }) => tombstone?.reason ?? null),
      ['moved', null],
    );
    const [, moved] = await bench.events();
    assert.equal(moved!.type, 'match.rescheduled');
    assert.deepEqual(Object.keys(moved!.data.changes!), ['tournament_id']);
  });

  it('an import reports no events but moves the sync cursor', async () => {
    const results = await applyUpdates(
      bench.deps,
      [
        feedUpdate.parse(
          bench.update({ scheduled_start: '2020-01-01T12:00:00Z', status: 'finished', ...FOOTBALL_GIVEN }),
        ),
      ],
      { events: false },
    );
    const id = results[0]!.matchId!;
    assert.deepEqual(await bench.events(), []);
    assert.equal(await count(`match_touch WHERE match_id = ${id}`), 1);
    assert.equal((await bench.card(id)).finalized, true, 'history is final');
  });

  describe('feed updates in one batch', () => {
    const fixture = (n: number, name = `Home of ${n}`): MatchFields => ({
      id: `together-${bench.now}-${n}`,
      home: { id: `together-${n}`, name, country: 'GB-ENG' },
    });
    const writers = async () =>
      (await bench.db.pool.query('SELECT count(DISTINCT xmin::text)::int AS count FROM outbox')).rows[0].count;

    it('updates to different matches share a transaction, and the updates to each match stay in order', async () => {
      const [one, other] = [fixture(1), fixture(2)];
      const live: MatchFields = { status: 'live', status_detail: 'in_play', score: { home: 0, away: 0 } };
      const results = await bench.feed(
        bench.update(one),
        bench.update(other),
        bench.update({ ...one, ...live }),
        bench.update({ ...other, ...live }),
        bench.update({ ...one, ...live, score: { home: 1, away: 0 } }),
      );
      assert.ok(
        results.every(({ outcome }) => outcome === 'accepted'),
        JSON.stringify(results),
      );
      assert.equal(await writers(), 3);
      const events = await bench.events();
      const of = (id: number) => events.filter(({ data }) => data.match.id === id).map(({ type }) => type);
      assert.deepEqual(of(results[0]!.matchId!), ['match.created', 'match.started', 'match.score_changed']);
      assert.deepEqual(of(results[1]!.matchId!), ['match.created', 'match.started']);
    });

    it('two updates that rename a side at different times are applied one by one, and the later name wins in any order', async () => {
      for (const [n, newerFirst] of [true, false, true, false].entries()) {
        await bench.accept(fixture(n, `First Name ${n}`));
        const older = bench.update(fixture(n, `Older Name ${n}`));
        const away = { id: `guest-${n}`, name: `Guest ${n}`, country: 'GB-ENG' };
        const newer = bench.update({ ...fixture(n, `Newer Name ${n}`), away });
        const results = await bench.feed(...(newerFirst ? [newer, older] : [older, newer]));
        const shown = await bench.card(results[1]!.matchId!);
        assert.equal(shown.participants[0]!.name, `Newer Name ${n}`);
      }
    });
  });

  describe('two conflicting live updates in one batch', () => {
    const updatesOf = (...updates: MatchUpdateInput[]) => bench.feed(...updates);
    const transactions = async () =>
      (await bench.db.pool.query('SELECT count(DISTINCT xmin::text)::int AS count FROM outbox')).rows[0].count;

    it('are applied in separate transactions if they concern one new match from two providers', async () => {
      const home = (name: string) => ({ home: { name, country: 'GB-ENG' } });
      const first = bench.update({ id: 'conflict-1', ...home('Manchester United'), status: 'live' });
      const other: Partial<MatchUpdateInput> = { provider: 'another-live', observed_at: first.observed_at };
      const second = bench.update({ id: 'conflict-2', ...home('Man United'), status: 'live', minute: 5 }, other);
      const third = bench.update({ id: 'conflict-3', away: { name: 'Third Side', country: 'GB-ENG' } });
      const results = await updatesOf(first, second, third);
      assert.deepEqual(
        results.map(({ index, outcome }) => [index, outcome]),
        [
          [0, 'accepted'],
          [1, 'accepted'],
          [2, 'accepted'],
        ],
      );
      assert.equal(results[0]!.matchId, results[1]!.matchId);
      assert.notEqual(results[0]!.matchId, results[2]!.matchId);
      assert.ok(results.every(({ matchId }) => matchId! > 0));
      assert.equal((await bench.card(results[0]!.matchId!)).minute, 5);
      assert.equal(await transactions(), 2);
      const events = await bench.events();
      const of = (id: number) => events.filter(({ data }) => data.match.id === id).map(({ data }) => data.sequence);
      assert.deepEqual([of(results[0]!.matchId!), of(results[2]!.matchId!)], [[1], [1]]);
    });

    it('leave no trace of the attempt to apply them together if they rename a side at different times', async () => {
      const side = (name: string) => ({ id: 'conflict-side', name, country: 'GB-ENG' });
      const known = await bench.accept({ id: 'conflict-4', home: side('First Name') });
      await bench.events();
      bench.published.length = 0;
      // The newer rename comes first in the list. If both were applied together, the older name would win or be lost.
      const older = bench.update({ id: 'conflict-4', home: side('Older Name'), referee: 'R' });
      const newer = bench.update({
        id: 'conflict-5',
        home: side('Newer Name'),
        away: { id: 'conflict-guest', name: 'Guest', country: 'GB-ENG' },
      });
      const results = await updatesOf(newer, older);
      assert.deepEqual(
        results.map(({ outcome }) => outcome),
        ['accepted', 'accepted'],
      );
      assert.equal((await bench.card(known)).participants[0]!.name, 'Newer Name');
      assert.equal((await bench.card(results[0]!.matchId!)).participants[0]!.name, 'Newer Name');
      assert.equal((await bench.card(known)).referee, 'R');
      assert.equal(await count("participant WHERE name IN ('Newer Name', 'Older Name', 'First Name')"), 1);
      assert.ok([known, results[0]!.matchId!].every((id) => bench.published.includes(id)));
      assert.deepEqual(types(await bench.events()), ['match.created']);
    });

    it('are applied even if the batch also has an invalid update, which leaves no data', async () => {
      const side = (name: string) => ({ id: 'conflict-beside', name, country: 'GB-ENG' });
      await bench.accept({ id: 'conflict-6', home: side('Former') });
      const before = await count('participant');
      const [invalid, renamed, other] = await updatesOf(
        bench.update({ id: 'conflict-7', sport: 'quidditch', home: { name: 'Nowhere', country: 'GB-ENG' } }),
        bench.update({ id: 'conflict-6', home: side('Renamed') }),
        bench.update({ id: 'conflict-8', home: side('Renamed Again'), away: { name: 'Visitors', country: 'GB-ENG' } }),
      );
      assert.deepEqual([invalid!.outcome, renamed!.outcome, other!.outcome], ['rejected', 'unchanged', 'accepted']);
      assert.equal((await bench.card(renamed!.matchId!)).participants[0]!.name, 'Renamed Again');
      assert.equal(await count('participant'), before + 1);
    });
  });

  it('two updates in one batch for one match under two names are applied in sequence', async () => {
    const venue = { name: 'Ground', country: 'GB-ENG' };
    const home = (name: string) => ({ home: { name, country: 'GB-ENG' } });
    const updates = [
      bench.update({ id: 'one', ...home('Manchester United'), venue }),
      bench.update({ id: 'two', ...home('Man United'), referee: 'R' }, WORSE),
    ];
    const results = await applyUpdates(
      bench.deps,
      updates.map((update) => feedUpdate.parse(update)),
      { events: false },
    );
    assert.equal(results[0]!.matchId, results[1]!.matchId);
    const card = await bench.card(results[0]!.matchId!);
    assert.deepEqual([card.venue, card.referee], ['Ground', 'R']);
  });

  it('late games of a series are the games that a source without kick-offs has on that day in the league’s time zone', async () => {
    const league = { name: 'Late League', country: 'US', gender: 'men' as const };
    const game = (id: string, scheduled_start: string, over: object, by: object) =>
      bench.update(
        {
          id,
          sport: 'ice-hockey',
          tournament: league,
          home: { name: 'Peaks', country: 'US' },
          away: { name: 'Shores', country: 'US' },
          scheduled_start,
          status: 'finished',
          ...over,
        },
        by,
      );
    const first = { score: { home: 1, away: 3 } };
    const second = { score: { home: 3, away: 2 } };
    const day = (text: string) => `${text}T00:00:00Z`;
    const ids = async (...updates: MatchUpdateInput[]) => (await bench.feed(...updates)).map(({ matchId }) => matchId);
    const stored = await ids(
      game('d1', day('2023-04-18'), { ...first, time_tbd: true }, WORSE),
      game('d2', day('2023-04-20'), { ...second, time_tbd: true }, WORSE),
    );
    await bench.db.pool.query("UPDATE tournament SET timezone = 'America/New_York' WHERE name = $1", [league.name]);
    // Both games begin at 22:00 in New York, so the first one is nearer to the midnight of the second.
    assert.deepEqual(
      await ids(game('l1', '2023-04-19T02:00:00Z', first, EQUAL), game('l2', '2023-04-21T02:00:00Z', second, EQUAL)),
      stored,
    );
    assert.deepEqual(
      await ids(game('e2', day('2023-04-20'), { ...second, time_tbd: true }, { provider: 'football-data' })),
      [stored[1]],
      'the source without kick-offs may come last',
    );
  });

  for (const distance of [100, 260, 600])
    it(`two updates for one match are applied in sequence if an import has ${distance} updates between them`, async () => {
      const home = (name: string) => ({
        home: { name, country: 'GB-ENG' },
        away: { name: `Visitors ${distance}`, country: 'GB-ENG' },
      });
      const between = () =>
        Array.from({ length: distance }, (_, number) =>
          bench.update({ id: `${distance}-${number}`, home: { name: `Side ${number}`, country: 'GB-ENG' } }),
        );
      const matches = await count('match');
      for (const [second, provider] of [
        ['second', WORSE],
        ['third', EQUAL],
      ] as const) {
        const updates = [
          bench.update({ id: `first-${distance}`, ...home('Manchester United'), attendance: 1000 }),
          ...between(),
          bench.update({ id: `${second}-${distance}`, ...home('Man United'), referee: second }, provider),
        ];
        const results = await applyUpdates(
          bench.deps,
          updates.map((update) => feedUpdate.parse(update)),
          { events: false },
        );
        assert.ok(results.every(({ outcome }) => outcome === 'accepted' || outcome === 'unchanged'));
        assert.equal(results[0]!.matchId, results.at(-1)!.matchId);
        const card = await bench.card(results[0]!.matchId!);
        assert.deepEqual([card.attendance, card.referee], [1000, second]);
      }
      assert.equal(await count('match'), matches + 1 + distance);
    });

  describe('a match’s players', () => {
    const players = async (id: number) =>
      (
        await bench.db.pool.query(
          `SELECT side, player_name, participant_id IS NOT NULL AS known, appeared, goals, penalties, assists
           FROM match_player WHERE match_id = $1 ORDER BY side DESC, player_name`,
          [id],
        )
      ).rows.map((row) => Object.values(row));
    const goal = (name: string, goal_type: string, over: Partial<Incident> = {}): Incident => ({
      kind: 'goal',
      side: 'home',
      player: { name },
      payload: { goal_type },
      ...over,
    });

    it('players get goals, penalties and assists, but own goals, shoot-outs and a card on the bench are not counted', async () => {
      const starter = (id: string, name: string, is_substitute = false) => ({
        side: 'home' as const,
        player: { id, name },
        is_substitute,
      });
      const fields: MatchFields = {
        status: 'live',
        lineups: [starter('s1', 'Ann Striker'), starter('s2', 'Bea Bench', true), starter('s3', 'Cat Joker', true)],
        incidents: [
          goal('Ann Striker', 'regular', { assist: { id: 's3', name: 'Cat Joker' } }),
          goal('Ann Striker', 'penalty'),
          goal('Dee Unlucky', 'own_goal'),
          { kind: 'subst', side: 'home', player: { id: 's3', name: 'Cat Joker' } },
          { kind: 'card', side: 'home', player: { id: 's2', name: 'Bea Bench' } },
          { kind: 'penalty_shootout', side: 'away', player: { name: 'Eve Kick' }, payload: { scored: true } },
          { kind: 'penalty', side: 'away', player: { name: 'Fay Miss' }, payload: { outcome: 'saved' } },
        ],
      };
      const id = await bench.accept(fields);
      const expected = [
        ['home', 'Ann Striker', true, true, 2, 1, 0],
        ['home', 'Bea Bench', true, false, 0, 0, 0],
        ['home', 'Cat Joker', true, true, 0, 0, 1],
        ['away', 'Dee Unlucky', false, true, 0, 0, 0],
        ['away', 'Eve Kick', false, true, 0, 0, 0],
        ['away', 'Fay Miss', false, true, 0, 0, 0],
      ];
      assert.deepEqual(await players(id), expected);
      await bench.accept({ incidents: fields.incidents!.slice(1) });
      assert.deepEqual((await players(id)).slice(0, 3), [
        ['home', 'Ann Striker', true, true, 1, 1, 0],
        ['home', 'Bea Bench', true, false, 0, 0, 0],
        ['home', 'Cat Joker', true, true, 0, 0, 0],
      ]);
      await bench.accept({ incidents: [], lineups: [] });
      assert.deepEqual(await players(id), []);
    });

    it('a goal is attributed to no player if two players on that side have the same name', async () => {
      const twin = (id: string) => ({ side: 'home' as const, player: { id, name: 'Ann Twin' }, is_substitute: false });
      const id = await bench.accept({ lineups: [twin('t1'), twin('t2')], incidents: [goal('Ann Twin', 'regular')] });
      assert.deepEqual(await players(id), [
        ['home', 'Ann Twin', true, true, 0, 0, 0],
        ['home', 'Ann Twin', true, true, 0, 0, 0],
        ['home', 'Ann Twin', false, true, 1, 0, 0],
      ]);
    });
  });

  describe('concurrent writers', () => {
    const WRITERS = 16;

    /** Builds the state of a match as a client has it that follows only the events. */
    function replay(events: readonly Envelope[]) {
      const incidents = new Map<number, string>();
      for (const { data } of events) {
        if (data.incident === undefined) continue;
        const { action, ...incident } = data.incident;
        if (action === 'delete') incidents.delete(incident.id);
        else incidents.set(incident.id, JSON.stringify(incident));
      }
      return [...incidents.values()].sort();
    }

    it('sixteen writers to one match produce an unbroken sequence, every incident and the newest state', async () => {
      const id = await bench.accept({ status: 'live' });
      const incidents = Array.from(
        { length: WRITERS },
        (_, index): Incident => ({ id: `i${index}`, kind: 'var', minute: index }),
      );
      const updates = incidents.map((_, index) =>
        bench.update({ minute: index, score: { home: index, away: 0 }, incidents: incidents.slice(0, index + 1) }),
      );
      const results = await Promise.all(updates.map((update) => bench.feed(update)));
      assert.deepEqual(
        results.flat().filter(({ outcome }) => outcome === 'rejected'),
        [],
      );
      const card = await bench.card(id);
      assert.deepEqual([card.minute, card.participants[0]!.score, card.incidents!.length], [15, 15, 16]);
      const events = await bench.events();
      assert.deepEqual(
        events.map(({ data }) => data.sequence),
        events.map((_, index) => index + 1),
      );
      assert.deepEqual(replay(events), card.incidents!.map((incident) => JSON.stringify(incident)).sort());
      assert.deepEqual(
        [events.at(-1)!.data.match.home.score, new Set(card.incidents!.map((one) => one.id)).size],
        [15, 16],
      );
    });

    it('sixteen writers that create the same match create it and its entities once', async () => {
      const fresh = (index: number): MatchFields => ({
        tournament: { id: 'fresh', name: 'Fresh League', country: 'FR' },
        season: { label: '2025' },
        home: { id: 'fresh-a', name: 'Fresh A', country: 'FR' },
        away: { id: 'fresh-b', name: 'Fresh B', country: 'FR' },
        venue: { id: 'fresh-v', name: 'Fresh Park', city: 'Fresh', country: 'FR' },
        lineups: ['p1', 'p2', 'p3', 'p4'].map((id) => ({
          side: index % 2 === 0 ? ('home' as const) : ('away' as const),
          player: { id, name: `Fresh ${id}` },
          is_substitute: false,
        })),
      });
      const updates = Array.from({ length: WRITERS }, (_, index) => {
        const provider = index % 4 === 0 ? 'live' : `live-${index % 4}`;
        return bench.update({ ...fresh(index), id: 'fresh' }, { provider });
      });
      const results = (await Promise.all(updates.map((update) => bench.feed(update)))).flat();
      assert.deepEqual(
        results.filter(({ outcome }) => outcome === 'rejected'),
        [],
      );
      assert.equal(new Set(results.map(({ matchId }) => matchId)).size, 1);
      assert.equal(await count("tournament WHERE name = 'Fresh League'"), 1);
      assert.equal(await count("venue WHERE name = 'Fresh Park'"), 1);
      assert.equal(await count("participant WHERE name LIKE 'Fresh _'"), 2);
      assert.equal(types(await bench.events()).filter((type) => type === 'match.created').length, 1);
    });

    it('sixteen writers create sixteen matches that share new entities, in different orders', async () => {
      const teams = Array.from({ length: WRITERS }, (_, index) => ({
        id: `c${index}`,
        name: `Club ${index}`,
        country: 'IT',
      }));
      const updates = teams.map((home, index) => {
        bench.nextMatch();
        const squad = (index % 2 === 0 ? teams : teams.toReversed()).map(({ id }) => ({
          side: 'home' as const,
          player: { id: `player of ${id}`, name: `Player ${id}` },
          is_substitute: false,
        }));
        return bench.update({
          tournament: { id: 'crowd', name: 'Crowded League', country: 'IT' },
          home,
          away: teams[(index + 5) % WRITERS]!,
          lineups: squad,
        });
      });
      const results = (await Promise.all(updates.map((update) => bench.feed(update)))).flat();
      assert.deepEqual(
        results.filter(({ outcome }) => outcome !== 'accepted'),
        [],
      );
      assert.equal(new Set(results.map(({ matchId }) => matchId)).size, WRITERS);
      assert.equal(await count("participant WHERE type = 'team' AND country = 'IT'"), WRITERS);
      assert.equal(await count("participant WHERE type = 'player' AND name LIKE 'Player c%'"), WRITERS);
      assert.equal(await count("tournament WHERE name = 'Crowded League'"), 1);
    });

    it('concurrent feeds, imports and renames are all applied, and leave no stale card and no gap in a sequence', async function () {
      this.timeout(60_000);
      const clubs = Array.from({ length: 8 }, (_, index) => ({
        id: `s${index}`,
        name: `Stress ${index}`,
        country: 'DE',
      }));
      const fixtures = clubs.flatMap((home) =>
        clubs.filter((away) => away !== home).map((away) => ({ id: `${home.id}-${away.id}`, home, away })),
      );
      const update = (index: number, fields: MatchFields, provider: string) => {
        const fixture = fixtures[index % fixtures.length]!;
        return bench.update(
          { ...fixture, tournament: { id: 'stress', name: 'Stress League', country: 'DE' }, ...fields },
          { provider },
        );
      };
      const live = async (writer: number) => {
        for (let round = 0; round < 25; round++) {
          const fields: MatchFields = { status: 'live', minute: round, score: { home: round % 5, away: writer % 3 } };
          // Every writer sometimes renames a side, under the id that its match shows.
          const fixture = fixtures[(writer * 7 + round) % fixtures.length]!;
          if (round % 5 === 0)
            fields.home = { ...fixture.home, name: `Stress ${fixture.home.id} ${(writer + round) % 3}` };
          const [result] = await bench.feed(update(writer * 7 + round, fields, 'live'));
          assert.notEqual(result!.outcome, 'rejected', JSON.stringify(result));
        }
      };
      const imports = async (provider: string) => {
        for (let round = 0; round < 4; round++) {
          const all = fixtures.map((_, index) =>
            feedUpdate.parse(update(index, { attendance: round, referee: provider }, provider)),
          );
          const results = await applyUpdates(bench.deps, round % 2 === 0 ? all : all.reverse(), { events: false });
          assert.deepEqual(
            results.filter(({ outcome }) => outcome === 'rejected'),
            [],
          );
        }
      };
      // First gives each club its plain name, so that all providers refer to the same club.
      const { observed_at } = bench.update();
      for (const club of clubs) {
        const participant = { ...club, type: 'team' as const, sport: 'football' };
        await bench.feed({ schema: 1, kind: 'participant', provider: 'live', observed_at, participant });
      }
      await Promise.all([
        ...Array.from({ length: 8 }, (_, writer) => live(writer)),
        imports('openfootball'),
        imports('schochastics'),
      ]);
      assert.equal(
        await count("match m JOIN tournament t ON t.id = m.tournament_id WHERE t.name = 'Stress League'"),
        fixtures.length,
      );
      const cards = async () =>
        (await bench.db.pool.query('SELECT match_id, item, detail FROM match_card ORDER BY match_id')).rows;
      const shown = await cards();
      await renderCards(
        bench.db.pool,
        shown.map(({ match_id }) => match_id),
      );
      assert.deepEqual(await cards(), shown);
      const sequences = new Map<number, number>();
      for (const { data } of await bench.events()) {
        const next = (sequences.get(data.match.id) ?? 0) + 1;
        assert.equal(data.sequence, next);
        sequences.set(data.match.id, next);
      }
    });
  });
});
