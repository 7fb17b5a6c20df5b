import assert from 'node:assert/strict';
import { chosenByMember, listFavourites } from '../../src/accounts/members/favourites.ts';
import { applyUpdates } from '../../src/apply/apply.ts';
import { BUILT_IN } from '../../src/identity/precedence.ts';
import { findPairs } from '../../src/pairs/find-pairs.ts';
import { decidedPairs, decidePair, findPair, finishMoves, openPairs, reopenPair } from '../../src/pairs/pairs.ts';
import { type FeedUpdateInput, feedUpdate } from '../../src/wire/feed-update.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';

const ANNA = { name: 'anna@example.com', address: null, isOperator: true } as const;
/** A provider of history. */
const HISTORY = { provider: 'openfootball' };

describe('participant pairs that may be one', () => {
  let bench: FeedBench;
  let joined = 0;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(async () => {
    const tables =
      'match_touch, outbox, match, external_ref, participant_pair, participant, audit_entry, match_tombstone';
    await bench.db.pool.query(`TRUNCATE ${tables} RESTART IDENTITY CASCADE`);
    await bench.db.pool.query('UPDATE participant_pair_search SET compared_id = 0');
    bench.deps.entities.clear();
    bench.nextMatch();
  });

  const deps = () => ({
    ...bench.deps,
    config: { precedence: BUILT_IN },
    changes: {
      ...bench.deps.changes,
      publishJoined() {
        joined += 1;
        bench.deps.entities.clear();
      },
    },
  });
  const side = (name: string, id?: string, country = 'DE') => ({ name, country, ...(id !== undefined && { id }) });
  const league = { tournament: { id: 'l1', name: 'Bundesliga', country: 'DE' }, season: { label: '2023/24' } };
  const past = async (match: MatchFields) => {
    bench.nextMatch();
    const update = feedUpdate.parse(bench.update({ ...league, ...match }, HISTORY));
    const [result] = await applyUpdates(bench.deps, [update], { events: false });
    assert.notEqual(result!.outcome, 'rejected', JSON.stringify(result));
    return result!.matchId!;
  };
  const live = async (match: MatchFields) => {
    const [result] = await bench.feed(bench.update({ ...league, ...match }));
    assert.notEqual(result!.outcome, 'rejected', JSON.stringify(result));
    return result!.matchId!;
  };
  const pairs = async () => {
    await findPairs(deps());
    return (await openPairs(bench.db.pool, 50)).map(({ known, other }) => `${known.name} = ${other.name}`);
  };
  const openId = async () => (await openPairs(bench.db.pool, 1))[0]!.id;
  const sides = async (id: number) => {
    const { rows } = await bench.db.pool.query('SELECT home_id, away_id FROM match WHERE id = $1', [id]);
    return rows[0] as { home_id: number; away_id: number } | undefined;
  };
  const names = async (id: number) => (await bench.card(id)).participants.map(({ name }) => name);

  const KOELN = {
    home: side('1. FC Köln'),
    away: side('Mainz'),
    scheduled_start: '2023-05-01T14:00:00Z',
    status: 'finished',
    score: { home: 1, away: 0 },
  } as const;
  const FIXTURE = { id: 'lotte-bochum', home: side('Sportfr. Lotte', 'lo'), away: side('Bochum', 'b') };
  const EFFZEH = {
    home: side('Effzeh Koeln', 'k'),
    away: side('Bochum', 'b'),
    scheduled_start: '2024-05-01T14:00:00Z',
  };

  describe('are found', () => {
    it('if a live source spells a team in a new way, and only once', async () => {
      await past({ ...KOELN, home: side('Sportfreunde Lotte') });
      await live({ home: side('Sportfr. Lotte', 'lo'), away: side('Bochum', 'b') });
      assert.deepEqual(await pairs(), ['Sportfreunde Lotte = Sportfr. Lotte']);
      assert.equal(await findPairs(deps()), null);
      await live({ home: side('Verl', 've'), away: side('Bochum', 'b') });
      assert.deepEqual(await pairs(), ['Sportfreunde Lotte = Sportfr. Lotte']);
    });

    it('if history is imported after the live source', async () => {
      await live({ home: side('Sportfr. Lotte', 'lo'), away: side('Bochum', 'b') });
      assert.deepEqual(await pairs(), []);
      await past({ ...KOELN, home: side('Sportfreunde Lotte') });
      assert.deepEqual(await pairs(), ['Sportfreunde Lotte = Sportfr. Lotte']);
    });

    it('but not between two teams from history, different countries, sports or genders, or squads at one club', async () => {
      await past({ ...KOELN, home: side('Sportfreunde Lotte'), away: side('Sportfreunde Lotto') });
      assert.deepEqual(await pairs(), []);
      await live({ home: side('Sportfr. Lotte', 'fr', 'FR'), away: side('Bochum', 'b') });
      bench.nextMatch();
      await live({
        home: side('Sportfreunde Lotte II', 'ii'),
        away: side('Bochum', 'b'),
        scheduled_start: '2024-05-09T14:00:00Z',
      });
      bench.nextMatch();
      await live({ sport: 'handball', home: side('Sportfr. Lotte', 'hb'), away: side('Kiel', 'ki') });
      bench.nextMatch();
      await live({
        tournament: { name: 'Frauen-Bundesliga', country: 'DE', gender: 'women' },
        home: side('Sportfr. Lotte', 'w'),
        away: side('Essen', 'we'),
      });
      assert.deepEqual(await pairs(), []);
    });

    it('but not if both have met in a match, or had different opponents on one day', async () => {
      await past({ ...KOELN, home: side('Sportfreunde Lotte'), away: side('Mainz') });
      await live({
        home: side('Sportfr. Lotte', 'lo'),
        away: side('Bochum', 'b'),
        scheduled_start: '2023-05-01T18:00:00Z',
      });
      assert.deepEqual(await pairs(), [], 'on one day against others');
      await past({
        home: side('Rot-Weiss Essen'),
        away: side('Rot-Weiß Essn', 'x'),
        scheduled_start: '2024-05-02T14:00:00Z',
      });
      assert.deepEqual(await pairs(), [], 'against each other');
    });

    it('but not if one provider has an id for each', async () => {
      await live({ home: side('Sportfr. Lotte', 'one'), away: side('Bochum', 'b') });
      bench.nextMatch();
      await live({
        home: side('Sportfreunde Lotte', 'two'),
        away: side('Kiel', 'k'),
        scheduled_start: '2024-05-09T14:00:00Z',
      });
      assert.deepEqual(await pairs(), []);
      bench.nextMatch();
      await live({ home: side('Sportfr Lotte e.V.'), away: side('Aue', 'a'), scheduled_start: '2024-05-16T14:00:00Z' });
      assert.equal((await pairs()).length, 2);
    });

    it('if players have the same words in their names, or the same birth date and similar names', async () => {
      const lineup = (name: string, over: object) =>
        ({ side: 'home', player: { name, ...over }, is_substitute: false }) as const;
      await past({
        ...KOELN,
        lineups: [
          lineup('Jan Thielmann', { birth_date: '2002-05-26' }),
          lineup('Mark Uth', { birth_date: '1991-08-24' }),
        ],
      });
      await live({
        ...EFFZEH,
        home: side('Cologne', 'c'),
        lineups: [
          lineup('Thielmann Jan', { id: 'p1' }),
          lineup('Marc Utt', { id: 'p2', birth_date: '1991-08-24' }),
          lineup('Jan', { id: 'p3' }),
        ],
      });
      assert.deepEqual((await pairs()).sort(), ['Jan Thielmann = Thielmann Jan', 'Mark Uth = Marc Utt']);
    });
  });

  describe('that were joined', () => {
    let old: number;
    let now: number;
    beforeEach(async () => {
      old = await past({ ...KOELN, home: side('Sportfreunde Lotte') });
      now = await live({ ...FIXTURE });
      await bench.events();
      await pairs();
    });
    const same = async () => decidePair(deps(), await openId(), 'same', ANNA, 'the club says so');

    it('give all matches and their names to the participant from history, and the changes are in sync but not in the stream', async () => {
      const { other } = (await openPairs(bench.db.pool, 1))[0]!;
      const before = joined;
      await bench.db.pool.query('DELETE FROM match_touch');
      await same();
      assert.equal(joined, before + 1);
      assert.equal((await sides(now))!.home_id, (await sides(old))!.home_id);
      assert.deepEqual(await bench.events(), []);
      const { rows } = await bench.db.pool.query('SELECT match_id FROM match_touch');
      assert.deepEqual(rows, [{ match_id: now }]);
      assert.deepEqual(await names(now), [(await names(old))[0], 'VfL Bochum']);
      const { rows: aliases } = await bench.db.pool.query(
        'SELECT participant_id FROM participant_alias WHERE key = $1',
        ['sportfr lotte'],
      );
      assert.deepEqual(aliases, [{ participant_id: (await sides(old))!.home_id }]);
      assert.deepEqual(await openPairs(bench.db.pool, 50), []);
      assert.equal((await decidedPairs(bench.db.pool, 5))[0]!.other.id, other.id);
    });

    it('are replaced by the participant from history in a member’s favourites, in the list and in the calendar', async () => {
      const { pool } = bench.db;
      const { known, other } = (await openPairs(pool, 1))[0]!;
      const { rows } = await pool.query<{ id: number }>(
        `WITH a AS (INSERT INTO account (email, plan, created_at) VALUES ('f@example.com', 'trial', now()) RETURNING id)
         INSERT INTO member (account_id, email, created_at) SELECT id, 'f@example.com', now() FROM a RETURNING id`,
      );
      const [{ id: member }] = rows as [{ id: number }];
      await pool.query("INSERT INTO member_favourite VALUES ($1, 'team', $2, now())", [member, other.id]);
      await same();
      assert.deepEqual((await chosenByMember(pool, member)).teams, [known.id]);
      const [favourite] = await listFavourites(pool, member, new Date(bench.now));
      assert.deepEqual([favourite!.id, favourite!.name], [other.id, known.name]);
    });

    it('stay joined for later updates from the live source, by id and by name, and for later imports', async () => {
      await same();
      const known = (await sides(old))!.home_id;
      bench.nextMatch();
      const byId = await live({ home: side('Sportfr. Lotte', 'lo'), away: side('Verl', 'v') });
      bench.nextMatch();
      const byName = await live({ home: side('Sportfr. Lotte'), away: side('Aue', 'au') });
      const imported = await past({
        ...KOELN,
        home: side('Sportfr. Lotte'),
        away: side('Kiel'),
        scheduled_start: '2023-04-01T14:00:00Z',
      });
      for (const id of [byId, byName, imported]) assert.equal((await sides(id))!.home_id, known);
      assert.deepEqual(await pairs(), []);
    });

    it('are separate again when the decision is taken back, each with its own matches and names', async () => {
      const before = { now: await sides(now), old: await sides(old) };
      await same();
      const [decided] = await decidedPairs(bench.db.pool, 5);
      await reopenPair(deps(), decided!.id, ANNA);
      assert.deepEqual({ now: await sides(now), old: await sides(old) }, before);
      assert.deepEqual(await names(now), ['Sportfr. Lotte', 'VfL Bochum']);
      assert.equal((await openPairs(bench.db.pool, 50)).length, 1);
      bench.nextMatch();
      const later = await live({ home: side('Sportfr. Lotte', 'lo'), away: side('Verl', 'v') });
      assert.equal((await sides(later))!.home_id, before.now!.home_id);
      await same();
      assert.equal((await sides(now))!.home_id, before.old!.home_id);
    });

    it('are completely joined or separated after an interruption', async () => {
      const broken = {
        ...deps(),
        clock: {
          now: () => {
            throw new Error('killed');
          },
        },
      };
      const id = await openId();
      const clock = bench.deps.clock;
      let calls = 0;
      const dies = {
        ...broken,
        clock: {
          now: () => {
            calls += 1;
            if (calls > 2) throw new Error('killed');
            return clock.now();
          },
        },
      };
      await assert.rejects(decidePair(dies, id, 'same', ANNA), /killed/);
      assert.notEqual((await sides(now))!.home_id, (await sides(old))!.home_id);
      assert.equal(await finishMoves(deps()), 1);
      assert.equal((await sides(now))!.home_id, (await sides(old))!.home_id);
      assert.equal(await finishMoves(deps()), 0);
      calls = 1;
      await assert.rejects(reopenPair(dies, id, ANNA), /killed/);
      await assert.rejects(decidePair(deps(), id, 'same', ANNA), /is being reopened/);
      assert.equal(await finishMoves(deps()), 1);
      assert.notEqual((await sides(now))!.home_id, (await sides(old))!.home_id);
    });

    it('combine a match that both participants have, with both ids and all data', async () => {
      const fixture = await past({
        home: side('Sportfreunde Lotte'),
        away: side('Bochum'),
        scheduled_start: '2024-05-01T13:30:00Z',
        venue: { name: 'Stadion am Lotter Kreuz', country: 'DE' },
        round_num: 33,
      });
      const playing = await live({ ...FIXTURE, status: 'live', minute: 50, score: { home: 2, away: 0 } });
      await bench.events();
      await same();
      assert.equal(await sides(fixture), undefined);
      const card = await bench.card(playing);
      assert.deepEqual(
        [card.status, card.venue, card.round_num, card.participants[0]!.score],
        ['live', 'Stadion am Lotter Kreuz', 33, 2],
      );
      const events = await bench.events();
      assert.deepEqual([types(events), events[0]!.data.match.id], [['match.deleted'], fixture]);
      const { rows } = await bench.db.pool.query(
        'SELECT tombstone FROM match_touch WHERE match_id = $1 AND tombstone IS NOT NULL',
        [fixture],
      );
      assert.deepEqual([rows[0].tombstone.reason, rows[0].tombstone.merged_into], ['merged', playing]);
      const { rows: refs } = await bench.db.pool.query(
        "SELECT DISTINCT provider FROM external_ref WHERE entity = 'match' AND entity_id = $1 ORDER BY 1",
        [playing],
      );
      assert.deepEqual(
        refs.map(({ provider }) => provider),
        ['live', 'openfootball'],
      );
    });

    it('keep the live source’s data about a match when history brings the result', async () => {
      const result = { ...FIXTURE, status: 'finished', score: { home: 1, away: 0 } } as const;
      const live1 = await live({
        ...result,
        incidents: [{ kind: 'goal', side: 'home', minute: 9, player: { name: 'Ana' } }],
      });
      const imported = await past({
        home: side('Sportfreunde Lotte'),
        away: side('Bochum'),
        scheduled_start: '2024-05-01T14:00:00Z',
        status: 'finished',
        score: { home: 1, away: 0 },
        attendance: 900,
      });
      assert.equal(live1, now);
      await same();
      assert.equal(await sides(imported), undefined);
      const card = await bench.card(now);
      assert.deepEqual([card.attendance, card.incidents![0]!.player_name], [900, 'Ana']);
    });

    it('are in the audit log, and can be decided only once', async () => {
      const id = await openId();
      const outcomes = await Promise.allSettled([
        decidePair(deps(), id, 'same', ANNA, 'r'),
        decidePair(deps(), id, 'different', ANNA),
      ]);
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      await assert.rejects(
        decidePair(deps(), id, 'different', ANNA),
        /is already decided: (same|different), by anna@example\.com/,
      );
      await reopenPair(deps(), id, ANNA);
      await assert.rejects(reopenPair(deps(), id, ANNA), /Pair \d+ is already open/);
      await assert.rejects(decidePair(deps(), 999_999, 'same', ANNA), /There is no pair 999999/);
      await assert.rejects(decidePair(deps(), id, 'same', ANNA, 'x'.repeat(501)), /at most 500 characters/);
      const { rows } = await bench.db.pool.query('SELECT action, actor FROM audit_entry ORDER BY id');
      assert.deepEqual(
        rows,
        ['pair.decided', 'pair.reopened'].map((action) => ({ action, actor: 'anna@example.com' })),
      );
    });

    it('are not listed again once it was decided that they differ', async () => {
      await decidePair(deps(), await openId(), 'different', ANNA);
      await bench.db.pool.query('UPDATE participant_pair_search SET compared_id = 0');
      assert.deepEqual(await pairs(), []);
      assert.notEqual((await sides(now))!.home_id, (await sides(old))!.home_id);
    });

    it('cannot be joined if they have met since, or if a match has corrections by hand', async () => {
      const id = await openId();
      await bench.db.pool.query(
        'UPDATE match SET provenance = provenance || \'{"correction": ["operator", 1, {}]}\' WHERE id = $1',
        [now],
      );
      await assert.rejects(decidePair(deps(), id, 'same', ANNA), /has corrections by hand: withdraw them first/);
      await bench.db.pool.query("UPDATE match SET provenance = provenance - 'correction' WHERE id = $1", [now]);
      bench.nextMatch();
      await live({ home: side('Sportfr. Lotte', 'lo'), away: side('Sportfreunde Lotte') });
      await assert.rejects(decidePair(deps(), id, 'same', ANNA), /They have played in the same match/);
      assert.equal((await findPair(bench.db.pool, id)).evidence.met, 1);
    });
  });

  it('replace a live source’s player by the player from history in match incidents and lists, and restore the live player if reopened', async () => {
    const player = { name: 'Thielmann Jan', id: 'p1' };
    await past({
      ...KOELN,
      lineups: [{ side: 'home', player: { name: 'Jan Thielmann', birth_date: '2002-05-26' }, is_substitute: false }],
    });
    const match: MatchFields = {
      ...EFFZEH,
      status: 'live',
      score: { home: 1, away: 0 },
      lineups: [{ side: 'home', player, is_substitute: false }],
      incidents: [{ kind: 'goal', side: 'home', minute: 5, player }],
      shotmap: [
        {
          player,
          side: 'home',
          minute: 5,
          xg: 0.3,
          shotType: 'goal',
          situation: 'regular',
          bodyPart: 'left',
          x: 90,
          y: 50,
        },
      ] as never,
    };
    const id = await live(match);
    await pairs();
    const pair = (await openPairs(bench.db.pool, 1))[0]!;
    const ids = async () => {
      const { incidents, lineups, shotmap } = await bench.card(id);
      const { rows } = await bench.db.pool.query('SELECT participant_id, goals FROM match_player WHERE match_id = $1', [
        id,
      ]);
      return [incidents![0]!.player_participant_id, lineups![0]!.player_participant_id, shotmap![0]!.player.id, rows];
    };
    const all = (one: number) => [one, one, one, [{ participant_id: one, goals: 1 }]];
    assert.deepEqual(await ids(), all(pair.other.id));
    await decidePair(deps(), pair.id, 'same', ANNA);
    assert.deepEqual(await ids(), all(pair.known.id));
    await live({ ...match, minute: 6 });
    assert.deepEqual(await ids(), all(pair.known.id), 'a repeated list names the known one');
    await reopenPair(deps(), pair.id, ANNA);
    assert.deepEqual(await ids(), all(pair.other.id));
  });

  it('pass participant updates to the participant that remains', async () => {
    const old = await past({ ...KOELN, home: side('Sportfreunde Lotte') });
    await live({ home: side('Sportfr. Lotte', 'lo'), away: side('Bochum', 'b') });
    await pairs();
    await decidePair(deps(), await openId(), 'same', ANNA);
    const update: FeedUpdateInput = {
      schema: 1,
      kind: 'participant',
      provider: 'live',
      observed_at: new Date(bench.now).toISOString(),
      participant: {
        id: 'lo',
        type: 'team',
        sport: 'football',
        name: 'Sportfr. Lotte',
        country: 'DE',
        extra: { stadium: 'Lotter Kreuz' },
      },
    };
    await bench.feed(update);
    const { rows } = await bench.db.pool.query("SELECT extra ->> 'stadium' AS stadium FROM participant WHERE id = $1", [
      (await sides(old))!.home_id,
    ]);
    assert.equal(rows[0].stadium, 'Lotter Kreuz');
  });
});
