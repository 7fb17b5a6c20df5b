import assert from 'node:assert/strict';
import { drainCardRefresh, queueRefresh } from '../../src/apply/write/card-refresh.ts';
import { type Queryable, transaction } from '../../src/db/postgres.ts';
import type { FeedUpdateInput } from '../../src/wire/feed-update.ts';
import { type FeedBench, type MatchFields, openFeedBench } from '../support/feed.ts';
import { until } from '../support/until.ts';

describe('entities that updates mention', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(async () => {
    bench.nextMatch();
    await bench.events();
  });

  const side = (id: string, name: string, over: object = {}) => ({ id, name, country: 'GB-ENG', ...over });
  const envelope = () => {
    bench.now += 1_000;
    return { schema: 1 as const, provider: 'live', observed_at: new Date(bench.now).toISOString() };
  };
  const participant = (
    fields: Partial<Extract<FeedUpdateInput, { kind: 'participant' }>['participant']>,
  ): FeedUpdateInput => ({
    ...envelope(),
    kind: 'participant',
    participant: { type: 'team', sport: 'football', name: 'Nobody', ...fields },
  });
  const version = async (id: number) =>
    (await bench.db.pool.query('SELECT version::int, sequence::int FROM match WHERE id = $1', [id])).rows[0];
  const waitingForLocks = async () =>
    (
      await bench.db.pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
    ).rowCount;
  const pendingChanges = async (id: number) =>
    (await bench.db.pool.query('SELECT 1 FROM match_touch WHERE match_id = $1', [id])).rowCount!;

  describe('after a rename', () => {
    /** Creates two matches in which the entities appear, and one in which they do not. */
    async function scene() {
      const fields = (): MatchFields => ({
        tournament: { id: 'rt', name: 'Old League', country: 'FR' },
        home: side('rh', 'Old Town'),
        venue: { id: 'rv', name: 'Old Park', city: 'Old City', country: 'FR', capacity: 10 },
      });
      const first = await bench.accept(fields());
      bench.nextMatch();
      const second = await bench.accept({ ...fields(), away: side('rh', 'Old Town'), home: side('other', 'Other') });
      bench.nextMatch();
      const third = await bench.accept({});
      await bench.events();
      await bench.db.pool.query('DELETE FROM match_touch');
      bench.published.length = 0;
      return { first, second, third, fields };
    }

    const renames: [
      name: string,
      update: () => FeedUpdateInput,
      shows: (card: Awaited<ReturnType<FeedBench['card']>>) => unknown,
      string,
    ][] = [
      [
        'tournament (by its own update)',
        () => ({
          ...envelope(),
          kind: 'tournament',
          tournament: { id: 'rt', name: 'New League', country: 'FR', sport: 'football' },
        }),
        (card) => card.tournament,
        'New League',
      ],
      [
        'tournament (by a match)',
        () => bench.update({ tournament: { id: 'rt', name: 'New League', country: 'FR' } }),
        (card) => card.tournament,
        'New League',
      ],
      [
        'participant (by its own update)',
        () => participant({ id: 'rh', name: 'New Town', country: 'GB-ENG' }),
        (card) => card.participants.find(({ name }) => name !== 'Other' && !name.startsWith('Away'))!.name,
        'New Town',
      ],
      [
        'Russian name of a participant (by a match)',
        () => bench.update({ home: side('rh', 'Old Town', { name_ru: 'Новый город' }) }),
        (card) => card.participants.map(({ name_ru }) => name_ru).find((name) => name !== null),
        'Новый город',
      ],
      [
        'venue (by its own update)',
        () => ({
          ...envelope(),
          kind: 'venue',
          venue: { id: 'rv', name: 'New Park', city: 'Old City', country: 'FR' },
        }),
        (card) => card.venue,
        'New Park',
      ],
      [
        'city of a venue (by its own update)',
        () => ({
          ...envelope(),
          kind: 'venue',
          venue: { id: 'rv', name: 'Old Park', city: 'New City', country: 'FR' },
        }),
        (card) => card.venue_city,
        'New City',
      ],
      [
        'capacity of a venue (by a match)',
        () => bench.update({ venue: { id: 'rv', name: 'Old Park', city: 'Old City', country: 'FR', capacity: 99 } }),
        (card) => String(card.venue_capacity),
        '99',
      ],
    ];
    for (const [name, update, shows, expected] of renames) {
      it(`a changed ${name} re-renders every card that shows it, with a new version and a pending change, but without an event`, async () => {
        const { first, second, third } = await scene();
        const before = {
          first: await version(first),
          second: await version(second),
          third: await bench.footprint(third),
        };
        bench.nextMatch();
        const [result] = await bench.feed(update());
        assert.equal(result!.outcome, 'accepted');
        for (const id of [first, second]) {
          const card = await bench.card(id);
          assert.equal(shows(card), expected);
          assert.equal(card.updated_at, `${new Date(bench.now).toISOString().slice(0, 19)}Z`);
          assert.ok((await pendingChanges(id)) > 0, 'no pending change');
          assert.ok(bench.published.includes(id), 'not published');
        }
        assert.deepEqual(await version(first), { ...before.first, version: before.first.version + 1 });
        assert.deepEqual(await version(second), { ...before.second, version: before.second.version + 1 });
        assert.deepEqual(await bench.footprint(third), before.third);
        const reported = (await bench.events()).filter(
          ({ data }) => data.match.id === first || data.match.id === second,
        );
        assert.deepEqual(reported, []);
        assert.equal((await bench.db.pool.query('SELECT 1 FROM card_refresh')).rowCount, 0);
        // Restores the state for the next case. Also checks that a return to a former name is noticed.
        await bench.feed(
          bench.update({
            tournament: { id: 'rt', name: 'Old League', country: 'FR' },
            home: side('rh', 'Old Town'),
            venue: { id: 'rv', name: 'Old Park', city: 'Old City', country: 'FR', capacity: 10 },
          }),
        );
        const card = await bench.card(first);
        assert.deepEqual(
          [card.tournament, card.participants[0]!.name, card.venue, card.venue_city, card.venue_capacity],
          ['Old League', 'Old Town', 'Old Park', 'Old City', 10],
        );
        await bench.db.pool.query("UPDATE participant SET name_ru = NULL WHERE name_ru = 'Новый город'");
        await bench.feed({ ...bench.update({ deleted: true }) });
        await bench.db.pool.query('DELETE FROM match');
        await bench.db.pool.query("DELETE FROM external_ref WHERE entity = 'match'");
        bench.deps.entities.clear();
      });
    }

    it('an outdated name does not rename an entity back, in a match or in an entity update, but a later update may use that name again', async () => {
      const id = await bench.accept({ home: side('late', 'Former') });
      const before = { observed_at: new Date(bench.now).toISOString() };
      const own = (name: string) => participant({ id: 'late', name, country: 'GB-ENG' });
      bench.now += 10_000;
      await bench.feed(own('Present'));
      const name = async () => (await bench.card(id)).participants[0]!.name;
      assert.equal(await name(), 'Present');
      await bench.feed(bench.update({ home: side('late', 'Former'), referee: 'R' }, before));
      assert.equal(await name(), 'Present');
      const [late] = await bench.feed({ ...own('Former'), ...before });
      assert.equal(late!.outcome, 'unchanged');
      assert.equal(await name(), 'Present');
      await bench.feed(bench.update({ home: side('late', 'Former') }));
      assert.equal(await name(), 'Former');
      const tournament = (league: string): FeedUpdateInput => ({
        ...envelope(),
        kind: 'tournament',
        tournament: { id: 'l1', name: league, country: 'GB-ENG', sport: 'football' },
      });
      const old = tournament('First League');
      await bench.feed(tournament('Premier'));
      assert.equal((await bench.feed(old))[0]!.outcome, 'unchanged');
      assert.equal((await bench.card(id)).tournament, 'Premier');
      await bench.feed(tournament('First League'));
      assert.equal((await bench.card(id)).tournament, 'First League');
    });

    it('a name from a lower-ranked provider changes no card', async () => {
      const id = await bench.accept({ home: side('keep', 'Kept Name') });
      const worse = { provider: 'openfootball' };
      await bench.feed(bench.update({ id: bench.other(), home: { name: 'Kept Name', country: 'GB-ENG' } }, worse));
      assert.equal((await bench.card(id)).participants[0]!.name, 'Kept Name');
      const [result] = await bench.feed({
        ...participant({ id: 'ofb', name: 'kept  name', country: 'GB-ENG' }),
        ...worse,
      });
      assert.notEqual(result!.outcome, 'rejected');
      assert.equal((await bench.card(id)).participants[0]!.name, 'Kept Name');
    });

    const rename = async (client: Queryable, id: number, name: string) => {
      await client.query('UPDATE participant SET name = $2 WHERE id = $1', [id, name]);
      await queueRefresh(client, { participant: new Set([id]), tournament: new Set(), venue: new Set() });
    };

    it('a new match and a match whose sides change wait for an uncommitted rename, and show the new name', async () => {
      const id = await bench.accept({ home: side('open', 'Open Before') });
      const participantId = (await bench.card(id)).participants[0]!.participant_id;
      bench.nextMatch();
      const moved = bench.update();
      await bench.feed(moved);
      const becomes = { ...moved, ...envelope(), match: { ...moved.match, home: side('open', 'Open Before') } };
      bench.nextMatch();
      const made = bench.update({ home: side('open', 'Open Before') });
      const [first, second] = await transaction(bench.db.pool, async (client) => {
        await rename(client, participantId, 'Open After');
        const waiting = [bench.feed(becomes), bench.feed(made)];
        await until('both updates wait for the rename', async () => (await waitingForLocks()) === 2);
        return waiting;
      });
      for (const [result] of [await first!, await second!])
        assert.equal((await bench.card(result!.matchId!)).participants[0]!.name, 'Open After');
    });

    it('a match that is created during a rename never shows the former name', async () => {
      for (const renamedFirst of [true, false]) {
        const id = `race-${renamedFirst}`;
        bench.nextMatch();
        await bench.accept({ home: side(id, `Before ${id}`) });
        bench.nextMatch();
        const match = bench.update({ home: side(id, `Before ${id}`), away: side(`${id}-away`, 'Away') });
        const rename = participant({ id, name: `After ${id}`, country: 'GB-ENG' });
        const [made] = await Promise.all(
          (renamedFirst ? [rename, match] : [match, rename]).map((update) => bench.feed(update)),
        );
        assert.equal(made![0]!.outcome, 'accepted');
        const { rows } = await bench.db.pool.query<{ item: string; name: string }>(
          `SELECT c.item, p.name FROM match m JOIN match_card c ON c.match_id = m.id JOIN participant p ON p.id = m.home_id
           JOIN external_ref r ON r.entity = 'team' AND r.external_id = $1 AND r.entity_id = p.id`,
          [id],
        );
        assert.equal(rows.length, 2);
        for (const row of rows) assert.equal(JSON.parse(row.item).participants[0].name, row.name);
      }
    });

    it('a card is rendered again after a rename that was not yet committed when the queue was emptied', async () => {
      const id = await bench.accept({ home: side('drain', 'First Name') });
      const { rows } = await bench.db.pool.query("SELECT entity_id FROM external_ref WHERE external_id = 'drain'");
      // The match is queued already. The rename, which queues it again, has not been committed when the queue is drained.
      await bench.db.pool.query('INSERT INTO card_refresh VALUES ($1)', [id]);
      await transaction(bench.db.pool, async (client) => {
        await rename(client, rows[0].entity_id, 'Second Name');
        await drainCardRefresh(bench.deps);
      });
      await drainCardRefresh(bench.deps);
      assert.equal((await bench.card(id)).participants[0]!.name, 'Second Name');
    });

    it('concurrent renames and updates for the same matches are all applied, and every card shows the last name', async () => {
      const matches: { id: number; update: (fields: MatchFields) => FeedUpdateInput }[] = [];
      for (let index = 0; index < 8; index++) {
        bench.nextMatch();
        const fixed = bench.update({ home: side('storm', 'Name 0') });
        const [made] = await bench.feed(fixed);
        matches.push({
          id: made!.matchId!,
          update: (fields) => ({
            ...fixed,
            ...envelope(),
            match: { ...fixed.match, home: side('storm', 'Name 0'), ...fields },
          }),
        });
      }
      const updates = Array.from({ length: 24 }, (_, index) =>
        matches[index % 8]!.update({ status: 'live', minute: index, home: side('storm', `Name ${index % 3}`) }),
      );
      const results = (await Promise.all(updates.map((update) => bench.feed(update)))).flat();
      assert.deepEqual(
        results.filter(({ outcome }) => outcome === 'rejected'),
        [],
      );
      const { rows } = await bench.db.pool.query<{ name: string }>(
        "SELECT name FROM participant p JOIN external_ref r ON r.entity_id = p.id AND r.entity = 'team' WHERE r.external_id = 'storm'",
      );
      for (const { id } of matches) assert.equal((await bench.card(id)).participants[0]!.name, rows[0]!.name);
    });
  });

  it('a new team has its listed Russian name from its first card, until a provider gives one', async () => {
    const shown = async (id: number) => (await bench.card(id)).participants.map(({ name_ru }) => name_ru);
    const sides: MatchFields = {
      home: { name: 'Wolfsberger AC', country: 'AT' },
      away: { name: 'Nameless Wanderers', country: 'AT' },
    };
    const id = await bench.accept(sides);
    assert.deepEqual(await shown(id), ['Вольфсберг', null]);
    assert.equal((await bench.db.pool.query('SELECT 1 FROM card_refresh')).rowCount, 0);
    // The list names the men's team only.
    bench.nextMatch();
    const women = await bench.accept({
      ...sides,
      tournament: { id: 'women', name: 'Cup of women', country: 'AT', gender: 'women' },
    });
    assert.deepEqual(await shown(women), [null, null]);
    await bench.feed(
      participant({ id: 'wac', name: 'Wolfsberger AC', name_ru: 'Волчья гора', country: 'AT', gender: 'men' }),
    );
    assert.deepEqual(await shown(id), ['Волчья гора', null]);
  });

  describe('under historical names', () => {
    const national = (home: string, day: string, over: MatchFields = {}): MatchFields => ({
      tournament: { id: 'wc', name: 'FIFA World Cup', country: 'INT' },
      home: { name: home, country: 'INT' },
      scheduled_start: day.length > 10 ? day : `${day}T15:00:00Z`,
      ...over,
    });
    const homeOf = async (id: number) => {
      const { participant_id, name, name_ru } = (await bench.card(id)).participants[0]!;
      return { participant_id, names: [name, name_ru] };
    };
    const named = async (id: number) => (await homeOf(id)).names;
    const club = (id: string, former_names: object[], over: object = {}) => ({
      ...participant({
        id,
        name: `Present ${id}`,
        name_ru: `Ныне ${id}`,
        country: 'GB-ENG',
        former_names: former_names as [],
      }),
      ...over,
    });
    const played = async (id: string, ...days: string[]) => {
      const ids: number[] = [];
      for (const day of days) {
        bench.nextMatch();
        ids.push(await bench.accept({ home: side(id, `Present ${id}`), scheduled_start: `${day}T15:00:00Z` }));
      }
      return ids;
    };

    it('a former state has the match day’s name in cards and events, and is the same participant as today’s state', async () => {
      const expected: [string, string, string, string][] = [
        ['Soviet Union', '1990-06-13', 'Soviet Union', 'СССР'],
        ['Russia', '1991-12-25T23:59:59Z', 'Soviet Union', 'СССР'],
        ['Russia', '1991-12-26T00:00:00Z', 'CIS', 'СНГ'],
      ];
      const ids = new Set<number>();
      for (const [given, day, name, name_ru] of expected) {
        bench.nextMatch();
        const id = await bench.accept(national(given, day));
        const { participant_id, names } = await homeOf(id);
        ids.add(participant_id);
        assert.deepEqual(names, [name, name_ru], day);
        const [created] = await bench.events();
        assert.deepEqual([created!.data.match.home.name, created!.data.match.home.name_ru], [name, name_ru]);
      }
      bench.nextMatch();
      const { participant_id, names } = await homeOf(await bench.accept(national('Soviet Union', '2018-06-14')));
      ids.add(participant_id);
      assert.deepEqual([names, ids.size], [['Russia', 'Россия'], 1]);
    });

    it('former states have names in every sport, for men and women, but not for youth teams', async () => {
      const ofSport = (sport: string, name: string, gender: 'men' | 'women'): MatchFields => ({
        ...national(name, '1972-09-28'),
        sport,
        tournament: { id: `t ${sport} ${gender}`, name: `Summit of ${sport}`, country: 'INT', gender },
      });
      for (const [sport, name, gender, shown] of [
        ['ice-hockey', 'Russia', 'men', 'Soviet Union'],
        ['basketball', 'Russia', 'women', 'Soviet Union'],
        ['football', 'Russia U21', 'men', 'Russia U21'],
        ['football', 'Ireland', 'men', 'Ireland'],
      ] as const) {
        bench.nextMatch();
        assert.equal((await named(await bench.accept(ofSport(sport, name, gender))))[0], shown, `${sport} ${gender}`);
      }
    });

    it('a reference by a former name changes no current name, whichever provider listed it', async () => {
      for (const [name, name_ru] of [
        ['USSR', 'СССР'],
        ['Soviet Union', 'Советский Союз'],
        ['Russia', 'Россия'],
      ]) {
        bench.nextMatch();
        await bench.accept(national(name!, '1970-12-01', { home: { name: name!, name_ru: name_ru!, country: 'INT' } }));
      }
      await bench.feed(club('now', [{ name: 'Then', name_ru: 'Тогда', from: '1901-01-01', to: '1909-12-31' }]));
      const [id] = await played('now', '1905-01-01');
      await bench.feed(
        bench.update({ home: side('now', 'Then', { name_ru: 'Тогда' }), scheduled_start: '1905-01-01T15:00:00Z' }),
      );
      const { rows } = await bench.db.pool.query(
        "SELECT name, name_ru FROM participant WHERE sport = 'football' AND key = 'RU|national team russia' OR name IN ('Present now', 'Then') ORDER BY name",
      );
      assert.deepEqual(rows, [
        { name: 'Present now', name_ru: 'Ныне now' },
        { name: 'Russia', name_ru: 'Россия' },
      ]);
      assert.deepEqual(await named(id!), ['Then', 'Тогда']);
      // A team may take a former name again if an update about the team says so.
      await bench.feed(participant({ id: 'now', name: 'Then', name_ru: 'Снова', country: 'GB-ENG' }));
      const again = await bench.accept({ home: side('now', 'Then'), scheduled_start: '2005-01-01T15:00:00Z' });
      assert.deepEqual(await named(again), ['Then', 'Снова']);
    });

    it('a team has the same current name, whether a better-ranked source gives a former name first or last', async () => {
      const told = async (provider: string, name: string, country: string) => {
        bench.nextMatch();
        await bench.feed(bench.update({ home: { name, country } }, { provider }));
      };
      await told('football-data', 'Melbourne Heart', 'AU');
      await told('openfootball', 'Melbourne City FC', 'AU');
      await told('openfootball', 'Brisbane Roar FC', 'AU');
      await told('football-data', 'Queensland Roar', 'AU');
      const { rows } = await bench.db.pool.query(
        "SELECT name FROM participant WHERE key IN ('AU|melbourne city', 'AU|brisbane roar') ORDER BY name",
      );
      assert.deepEqual(rows, [{ name: 'Brisbane Roar FC' }, { name: 'Melbourne City FC' }]);
    });

    it('the name follows the match to a new day, from the first to the last day on which the name was used', async () => {
      const names = [{ name: 'Former', name_ru: 'Бывший', from: '2001-02-03', to: '2001-02-05' }];
      await bench.feed(club('moving', names));
      const shown: unknown[] = [];
      for (const start of [
        '2001-02-02T23:59:59Z',
        '2001-02-03T00:00:00Z',
        '2001-02-05T23:59:59Z',
        '2001-02-06T00:00:00Z',
      ])
        shown.push(
          (await named(await bench.accept({ home: side('moving', 'Present moving'), scheduled_start: start })))[0],
        );
      assert.deepEqual(shown, ['Present moving', 'Former', 'Former', 'Present moving']);
    });

    it('a former name without a first or last day has no limit in that direction, and may lack a Russian form', async () => {
      await bench.feed(
        club('open ends', [
          { name: 'First', to: '1950-12-31' },
          { name: 'Last', from: '2000-01-01' },
        ]),
      );
      const ids = await played('open ends', '1890-01-01', '1975-01-01', '2150-01-01');
      assert.deepEqual(await Promise.all(ids.map(named)), [
        ['First', null],
        ['Present open ends', 'Ныне open ends'],
        ['Last', null],
      ]);
    });

    it('a changed list of names re-renders only the cards from the affected days, with a new version and a pending change, but without an event', async () => {
      const ids = await played('changed', '1909-12-31', '1919-12-31', '1920-01-01');
      await bench.feed(
        participant({ id: 'changed', name: 'Present changed', name_ru: 'Ныне changed', country: 'GB-ENG' }),
      );
      await bench.events();
      const step = async (former_names: object[]) => {
        await bench.db.pool.query('DELETE FROM match_touch');
        bench.published.length = 0;
        const before = await Promise.all(ids.map(version));
        const [result] = await bench.feed(club('changed', former_names));
        const after = await Promise.all(ids.map(version));
        const changed = ids.filter((_, index) => after[index].version !== before[index].version);
        assert.deepEqual(
          bench.published.toSorted((a, b) => a - b),
          changed,
        );
        assert.deepEqual(
          await Promise.all(ids.map(pendingChanges)),
          ids.map((id) => Number(changed.includes(id))),
        );
        assert.deepEqual(await bench.events(), []);
        const names = (await Promise.all(ids.map(named))).map(([name]) => name);
        return [result!.outcome, changed.map((id) => ids.indexOf(id)), names];
      };
      const now = 'Present changed';
      const tens = { name: 'Tens', from: '1910-01-01', to: '1919-12-31' };
      const twenties = { name: 'Twenties', from: '1920-01-01', to: '1929-12-31' };
      assert.deepEqual(await step([tens, twenties]), ['accepted', [1, 2], [now, 'Tens', 'Twenties']]);
      assert.deepEqual(await step([twenties, tens]), ['unchanged', [], [now, 'Tens', 'Twenties']]);
      assert.deepEqual(await step([tens, { ...twenties, name: 'Roaring' }]), [
        'accepted',
        [2],
        [now, 'Tens', 'Roaring'],
      ]);
      assert.deepEqual(await step([{ ...tens, from: null }]), ['accepted', [0, 1, 2], ['Tens', 'Tens', now]]);
      assert.deepEqual(await step([]), ['accepted', [0, 1], [now, now, now]]);
    });

    it('a list from a lower-ranked provider is not used, and an update without a list keeps the stored one', async () => {
      const [id] = await played('ranked', '1901-01-01');
      await bench.feed(club('ranked', [{ name: 'Live', to: '1910-01-01' }]));
      const worse = { ...club('ranked', [{ name: 'History', to: '1910-01-01' }]), provider: 'openfootball' };
      assert.equal((await bench.feed(worse))[0]!.outcome, 'unchanged');
      await bench.feed(
        participant({ id: 'ranked', name: 'Present ranked', country: 'GB-ENG', extra: { stadium: 'New' } }),
      );
      assert.deepEqual(await named(id!), ['Live', null]);
    });

    it('the Czech national team is called Czechia from the day on which that name was announced', async () => {
      const playedAs = async (name: string, day: string) => {
        bench.nextMatch();
        return named(await bench.accept(national(name, day)));
      };
      assert.deepEqual(await playedAs('Czech Republic', '2022-03-29'), ['Czech Republic', 'Чехия']);
      assert.deepEqual(await playedAs('Czech Republic', '2022-06-02'), ['Czechia', 'Чехия']);
      assert.deepEqual(await playedAs('Czechia', '1996-06-30'), ['Czech Republic', 'Чехия']);
    });

    it('Taiwan’s team is called Chinese Taipei from the day on which that name was agreed', async () => {
      const playedAs = async (name: string, day: string) => {
        bench.nextMatch();
        return named(await bench.accept(national(name, day)));
      };
      assert.deepEqual(await playedAs('Taiwan', '1960-10-16'), ['Taiwan', 'Тайвань']);
      assert.deepEqual(await playedAs('Taiwan', '1991-11-17'), ['Chinese Taipei', 'Китайский Тайбэй']);
      assert.deepEqual(await playedAs('Chinese Taipei', '2024-03-21'), ['Chinese Taipei', 'Китайский Тайбэй']);
    });

    it('a club that a feed calls by the name of another era is the present club, and has the name of the day', async () => {
      const league = (sport: string, name: string, country: string, club: string, day: string): MatchFields => ({
        sport,
        tournament: { name, country },
        home: { name: club, country },
        away: { name: 'Visitors of another era', country },
        scheduled_start: `${day}T15:00:00Z`,
      });
      for (const [sport, tournament, country, former, before, present, after] of [
        ['ice-hockey', 'NHL', 'US', 'Hartford Whalers', '1996-11-01', 'Carolina Hurricanes', '2027-01-10'],
        ['basketball', 'NBA', 'US', 'Seattle SuperSonics', '1996-06-05', 'Oklahoma City Thunder', '2027-01-10'],
        ['basketball', 'NBA', 'US', 'New Jersey Nets', '2002-06-05', 'Brooklyn Nets', '2027-01-10'],
        ['aussie-rules', 'AFL', 'AU', 'Footscray', '1954-09-25', 'Western Bulldogs', '2027-04-10'],
        ['cricket', 'Indian Premier League', 'IN', 'Kings XI Punjab', '2014-06-01', 'Punjab Kings', '2027-04-10'],
        ['volleyball', 'Bundesliga', 'DE', 'TSV Herrsching', '2016-10-15', 'WWK Volleys Herrsching', '2027-01-10'],
      ] as const) {
        const shown = async (club: string, day: string) => {
          bench.nextMatch();
          return homeOf(await bench.accept(league(sport, tournament, country, club, day)));
        };
        const old = await shown(former, before);
        for (const club of [former, present]) {
          const { participant_id, names } = await shown(club, after);
          assert.deepEqual([participant_id, names[0]], [old.participant_id, present], club);
        }
        assert.equal(old.names[0], former);
        assert.equal((await shown(present, before)).names[0], former, 'a repeated old match');
      }
    });

    it('a provider’s list replaces the built-in list, even if it is empty', async () => {
      const id = await bench.accept(national('Zaire', '1974-06-18'));
      assert.deepEqual(await named(id), ['Zaire', 'Заир']);
      await bench.feed(participant({ name: 'DR Congo', country: 'CD', former_names: [] }));
      assert.deepEqual(await named(id), ['DR Congo', 'ДР Конго']);
    });

    it('concurrent name and match changes are all applied, and every card shows the names valid on the match day', async () => {
      const ids = await played('race', '1901-01-01', '1911-01-01', '1921-01-01');
      const lists = Array.from({ length: 12 }, (_, index) =>
        club('race', [{ name: `Name ${index}`, from: `19${index % 3}0-01-01`, to: '1930-01-01' }]),
      );
      const matches = Array.from({ length: 12 }, (_, index) => {
        bench.nextMatch();
        return bench.update({ home: side('race', 'Present race'), scheduled_start: `19${index % 3}5-05-05T15:00:00Z` });
      });
      const results = await Promise.all([...lists, ...matches].map((update) => bench.feed(update)));
      assert.deepEqual(
        results.flat().filter(({ outcome }) => outcome === 'rejected'),
        [],
      );
      const { rows } = await bench.db.pool.query<{ shown: string; name: string }>(
        `SELECT c.item::json #>> '{participants,0,name}' AS shown, n.name FROM match m JOIN match_card c ON c.match_id = m.id
         CROSS JOIN names_at(m.home_id, m.scheduled_start) n WHERE m.home_id = (SELECT home_id FROM match WHERE id = $1)`,
        [ids[0]],
      );
      assert.equal(rows.length, 15);
      for (const { shown, name } of rows) assert.equal(shown, name);
    });
  });

  describe('by provider id', () => {
    it('entities are found by id, whatever their name', async () => {
      const id = await bench.accept({ home: side('same', 'A Name') });
      bench.nextMatch();
      const other = await bench.accept({ home: side('same', 'Another Name', { country: 'FR' }) });
      const [one, two] = [await bench.card(id), await bench.card(other)];
      assert.equal(one.participants[0]!.participant_id, two.participants[0]!.participant_id);
      assert.equal(one.participants[0]!.name, 'Another Name');
    });

    it('a team and a player may have the same id', async () => {
      const lineups = [{ side: 'home' as const, player: { id: '17', name: 'Seventeen' }, is_substitute: false }];
      const id = await bench.accept({ home: side('17', 'Team Seventeen'), lineups });
      const card = await bench.card(id);
      assert.notEqual(card.lineups![0]!.player_participant_id, card.participants[0]!.participant_id);
      assert.equal(card.participants[0]!.name, 'Team Seventeen');
    });

    it('the same id in another sport is a second team', async () => {
      const football = await bench.card(await bench.accept({ home: side('99', 'Ninety-Nine') }));
      bench.nextMatch();
      const fields: MatchFields = {
        sport: 'handball',
        tournament: { id: 'l1', name: 'Handball League', country: 'FR' },
      };
      const handball = await bench.card(await bench.accept({ ...fields, home: side('99', 'Ninety-Nine') }));
      assert.notEqual(handball.participants[0]!.participant_id, football.participants[0]!.participant_id);
      assert.notEqual(handball.tournament_id, football.tournament_id);
    });

    it('a player without an id stays a name', async () => {
      const id = await bench.accept({ incidents: [{ kind: 'goal', side: 'home', player: { name: 'John Doe' } }] });
      const [incident] = (await bench.card(id)).incidents!;
      assert.deepEqual([incident!.player_name, incident!.player_participant_id], ['John Doe', null]);
    });
  });

  describe('after entity updates', () => {
    it('entities are created and changed, and a repeated update changes nothing', async () => {
      const fields = {
        id: 'pl1',
        type: 'player' as const,
        name: 'Jane Keeper',
        birth_date: '1999-02-03',
        country: 'FR',
        extra: { height_cm: 188, position: 'G' },
        aliases: [{ name: 'J. Keeper' }, { name: 'Джейн Кипер', locale: 'ru' as const }],
      };
      const outcome = async (over: object) => (await bench.feed(participant({ ...fields, ...over })))[0]!.outcome;
      const late = { observed_at: new Date(bench.now).toISOString() };
      assert.equal(await outcome({}), 'accepted');
      const [old] = await bench.feed({ ...participant({ ...fields, birth_date: '1900-01-01' }), ...late });
      assert.equal(old!.outcome, 'unchanged');
      assert.equal(await outcome({}), 'unchanged');
      assert.equal(await outcome({ name: 'Jane Goalkeeper' }), 'accepted');
      assert.equal(await outcome({ name: 'Jane Goalkeeper' }), 'unchanged');
      assert.equal(await outcome({ name: 'Jane Goalkeeper', extra: { foot: 'left' } }), 'accepted');
      assert.equal(await outcome({ name: 'Jane Goalkeeper', aliases: [{ name: 'JK' }] }), 'accepted');
      const { rows } = await bench.db.pool.query(
        "SELECT name, birth_date::text, extra FROM participant WHERE name = 'Jane Goalkeeper'",
      );
      assert.deepEqual(rows, [
        {
          name: 'Jane Goalkeeper',
          birth_date: '1999-02-03',
          extra: { height_cm: 188, position: 'G', foot: 'left' },
        },
      ]);
    });

    it('a later birth date is added to a player whom a feed named without one', async () => {
      const lineups = [{ side: 'home' as const, player: { id: 'late', name: 'Late Born' }, is_substitute: false }];
      await bench.accept({ lineups });
      const known = { id: 'late', name: 'Late Born', type: 'player' as const, birth_date: '2001-01-01' };
      assert.equal((await bench.feed(participant(known)))[0]!.outcome, 'accepted');
      const { rows } = await bench.db.pool.query("SELECT birth_date::text FROM participant WHERE name = 'Late Born'");
      assert.deepEqual(rows, [{ birth_date: '2001-01-01' }]);
    });

    it('a tournament may have rules, seasons and points adjustments', async () => {
      const tournament = {
        id: 'rules',
        name: 'Rules League',
        country: 'ES',
        sport: 'football',
        importance: 80,
        tier: 1,
        seasons: [
          {
            label: '2023/24',
            start_date: '2023-08-01',
            points_adjustments: [{ participant: side('sinner', 'Sinner'), points: -4, reason: 'Accounts' }],
          },
        ],
      };
      const outcome = async (over: object) =>
        (await bench.feed({ ...envelope(), kind: 'tournament', tournament: { ...tournament, ...over } }))[0]!.outcome;
      assert.equal(await outcome({}), 'accepted');
      assert.equal(await outcome({}), 'unchanged');
      const id = await bench.accept({ tournament: { id: 'rules', name: 'Rules League', country: 'ES' } });
      assert.equal((await bench.card(id)).importance, 80);
      assert.equal(await outcome({ importance: 90 }), 'accepted');
      assert.equal((await bench.card(id)).importance, 90, 'the card follows');
      const bad = {
        label: '2023/24',
        points_adjustments: [{ participant: side('x', 'X', { country: 'XX' }), points: 1 }],
      };
      const [result] = await bench.feed({
        ...envelope(),
        kind: 'tournament',
        tournament: { ...tournament, seasons: [bad] },
      });
      assert.deepEqual(
        result!.errors!.map(({ path, code }) => [path, code]),
        [['tournament.seasons.0.points_adjustments.0.country', 'unknown_country']],
      );
    });

    it('a side may have several points decisions from different days, and an update’s list replaces the whole list', async () => {
      const decide = async (...decisions: { points: number; decided_on?: string }[]) => {
        const points_adjustments = decisions.map((decision) => ({
          participant: side('appealer', 'Appealer'),
          ...decision,
        }));
        const [result] = await bench.feed({
          ...envelope(),
          kind: 'tournament',
          tournament: {
            id: 'appeals',
            name: 'Appeals League',
            country: 'ES',
            sport: 'football',
            seasons: [{ label: '2023/24', points_adjustments }],
          },
        });
        return result!.errors?.map(({ path, code }) => [path, code]) ?? result!.outcome;
      };
      const stored = async () =>
        (
          await bench.db.pool.query(
            "SELECT a.points, a.decided_on::text AS day FROM points_decision a JOIN participant p ON p.id = a.participant_id WHERE p.name = 'Appealer' ORDER BY 2",
          )
        ).rows.map(({ points, day }) => [points, day]);
      const [deduction, appeal] = [
        { points: -10, decided_on: '2023-11-17' },
        { points: 4, decided_on: '2024-02-26' },
      ];
      assert.equal(await decide(deduction, appeal, { points: -1 }), 'accepted');
      const whole = [
        [-1, '-infinity'],
        [-10, '2023-11-17'],
        [4, '2024-02-26'],
      ];
      assert.deepEqual((await stored()).sort(), whole.sort());
      assert.equal(await decide(appeal, { points: -1 }, deduction), 'unchanged');
      assert.deepEqual(await decide(deduction, { ...appeal, decided_on: '2023-11-17' }), [
        ['tournament.seasons.0.points_adjustments.1', 'duplicate'],
      ]);
      assert.deepEqual(await decide({ points: -1 }, { points: -2 }), [
        ['tournament.seasons.0.points_adjustments.1', 'duplicate'],
      ]);
      assert.deepEqual((await stored()).sort(), whole.sort(), 'a refused list changes nothing');
      assert.equal(await decide({ ...deduction, decided_on: '2023-11-18' }), 'accepted');
      assert.deepEqual(await stored(), [[-10, '2023-11-18']]);
    });

    it('a venue names the team whose stadium it is, and is rejected if that team has no sport', async () => {
      const venue = { id: 'home', name: 'Home Park', city: 'Plymouth', country: 'GB-ENG', capacity: 17_000 };
      const home_team = side('argyle', 'Argyle');
      const feed = async (over: object) =>
        (await bench.feed({ ...envelope(), kind: 'venue', venue: { ...venue, home_team, ...over } }))[0]!;
      assert.equal((await feed({ sport: 'football' })).outcome, 'accepted');
      assert.equal((await feed({ sport: 'football' })).outcome, 'unchanged');
      const { rows } = await bench.db.pool.query("SELECT extra FROM participant WHERE name = 'Argyle'");
      assert.deepEqual(rows[0].extra, { stadium: 'Home Park', stadium_capacity: 17_000, city: 'Plymouth' });
      assert.deepEqual(
        (await feed({})).errors!.map(({ path }) => path),
        ['venue.sport'],
      );
    });
  });

  it('a venue has the present capacity, not the one at an old World Cup, whichever source comes first', async () => {
    for (const [name, providers] of [
      ['First Ground', ['fjelstul', 'stadium-coordinates']],
      ['Second Ground', ['stadium-coordinates', 'fjelstul']],
    ] as const) {
      for (const provider of providers) {
        const capacity = provider === 'fjelstul' ? 121_000 : 99_354;
        const venue = { name, city: 'Barcelona', country: 'ES', capacity };
        await bench.feed({ ...envelope(), provider, kind: 'venue', venue });
      }
      const { rows } = await bench.db.pool.query('SELECT capacity FROM venue WHERE name = $1', [name]);
      assert.deepEqual(rows, [{ capacity: 99_354 }]);
    }
  });

  it('a venue and a team’s stadium are spelled as the best-ranked provider spells them, in any arrival order', async () => {
    const venue = (provider: string, name: string, city: string, club: string) => ({
      ...envelope(),
      provider,
      kind: 'venue' as const,
      venue: { name, city, country: 'ES', sport: 'football', home_team: { name: club, country: 'ES' } },
    });
    const spellings = (club: string, ground: string) => [
      venue('fjelstul', `Estadio ${ground}`, 'Málaga', club),
      venue('openfootball', `ESTADIO ${ground}`, 'Malaga', club),
      venue('openfootball', `estadio ${ground}`, 'MALAGA', club),
    ];
    for (const [index, order] of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
    ].entries()) {
      const all = spellings(`Club ${index}`, `Uno ${index}`);
      for (const at of [...order, ...order]) await bench.feed(all[at]!);
      const { rows } = await bench.db.pool.query('SELECT name, city FROM venue WHERE name ILIKE $1', [
        `estadio uno ${index}`,
      ]);
      assert.deepEqual(rows, [{ name: `Estadio Uno ${index}`, city: 'Málaga' }]);
      const team = await bench.db.pool.query('SELECT extra FROM participant WHERE name = $1', [`Club ${index}`]);
      assert.deepEqual(team.rows, [{ extra: { stadium: `Estadio Uno ${index}`, city: 'Málaga' } }]);
    }
  });

  it('an entity that has been merged by another process is looked up again', async () => {
    await bench.accept({ away: side('merged', 'To be merged') });
    const { rows } = await bench.db.pool.query("SELECT id FROM participant WHERE name = 'To be merged'");
    await bench.db.pool.query('DELETE FROM match');
    await bench.db.pool.query("DELETE FROM external_ref WHERE external_id = 'merged' OR entity = 'match'");
    await bench.db.pool.query('DELETE FROM participant WHERE id = $1', [rows[0].id]);
    const id = await bench.accept({ away: side('merged', 'To be merged') });
    assert.notEqual((await bench.card(id)).participants[1]!.participant_id, rows[0].id);
  });
});
