import assert from 'node:assert/strict';
import { createHousekeeping } from '../../src/apply/upkeep/finalize-matches.ts';
import { markAwaitingData } from '../../src/apply/upkeep/mark-awaiting-data.ts';
import { correctMatch, listCorrections, withdrawCorrection } from '../../src/corrections/corrections.ts';
import type { GivenCorrection } from '../../src/corrections/parse-correction.ts';
import type { Problem } from '../../src/http/errors.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';

const ANNA = { name: 'anna@example.com', address: '203.0.113.7', isOperator: true } as const;

describe('corrections by hand', () => {
  let bench: FeedBench;
  let id: number;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(async () => {
    bench.nextMatch();
    id = await bench.accept({ status: 'live', score: { home: 2, away: 0 } });
    await bench.events();
  });

  const correct = async (given: Omit<GivenCorrection, 'reason'>, reason = 'the referee’s report') => {
    bench.now += 1_000;
    return (await correctMatch(bench.deps, id, { ...given, reason }, ANNA)).id;
  };
  const withdraw = (correction: number) => {
    bench.now += 1_000;
    return withdrawCorrection(bench.deps, correction, ANNA);
  };
  const live = (match: MatchFields, over = {}) => bench.feed(bench.update(match, over));
  const result = async () => {
    const { status, status_detail, participants, meta } = await bench.card(id);
    return [
      status,
      status_detail,
      participants.map(({ score }) => score).join(':'),
      meta.sources.includes('Corrected by hand'),
    ];
  };
  const errors = (given: Omit<GivenCorrection, 'reason'>, reason?: string) =>
    correct(given, reason).then(
      () => assert.fail('the correction was made'),
      ({ options, message }: Problem) => options?.errors?.map((one) => `${one.parameter}: ${one.detail}`) ?? [message],
    );
  const audited = async () => {
    const { rows } = await bench.db.pool.query(
      'SELECT actor, action, details FROM audit_entry WHERE target = $1 ORDER BY id',
      [`match ${id}`],
    );
    return rows as { actor: string; action: string; details: Record<string, unknown> }[];
  };

  it('are shown, name the operator as the source, and cause an event with the changed values', async () => {
    await correct({ score: '1:0' });
    assert.deepEqual(await result(), ['live', 'in_play', '1:0', true]);
    const [event, ...others] = await bench.events();
    assert.deepEqual([event!.type, others], ['match.correction', []]);
    assert.deepEqual(event!.data.changes, { home_score: 1 });
    assert.deepEqual(event!.data.previous, { home_score: 2 });
    assert.deepEqual([event!.data.match.home.score, event!.data.match.away.score], [1, 0]);
  });

  it('are not replaced by live sources, which still update the rest of the fields', async () => {
    await correct({ score: '1:0' });
    await bench.events();
    await live({ status: 'live', minute: 70, score: { home: 3, away: 0 }, referee: 'R' });
    assert.deepEqual(await result(), ['live', 'in_play', '1:0', true]);
    const card = await bench.card(id);
    assert.deepEqual([card.minute, card.referee], [70, 'R']);
    await live({ status: 'live', incidents: [{ id: 'c', kind: 'card', minute: 71, side: 'home', payload: {} }] });
    assert.deepEqual(types(await bench.events()), ['match.card']);
    await live({ status: 'finished', score: { home: 3, away: 0 } });
    assert.deepEqual(await result(), ['finished', 'ended', '1:0', true]);
    assert.deepEqual(types(await bench.events()), ['match.finished']);
  });

  it('are not replaced by a second live source that takes over the lead', async () => {
    await correct({ score: '1:0', status: 'finished' });
    bench.now += 30 * 60_000;
    const other = { provider: 'another-live' };
    await live({ id: bench.other(), status: 'live', minute: 80, score: { home: 4, away: 0 } }, other);
    await live({ id: bench.other(), status: 'live', minute: 81, score: { home: 4, away: 1 } }, other);
    assert.deepEqual(await result(), ['finished', 'ended', '1:0', true]);
    const [standing] = await listCorrections(bench.db.pool, id);
    await withdraw(standing!.id);
    assert.deepEqual(await result(), ['live', 'in_play', '4:1', false]);
  });

  it('reveal what a source has sent meanwhile when they are withdrawn', async () => {
    const correction = await correct({ score: '1:0', status: 'finished' });
    await live({ status: 'live', minute: 80, score: { home: 2, away: 1 } });
    await bench.events();
    await withdraw(correction);
    assert.deepEqual(await result(), ['live', 'in_play', '2:1', false]);
    assert.equal((await bench.card(id)).minute, 80);
    const [event] = await bench.events();
    assert.equal(event!.type, 'match.correction');
    assert.deepEqual(event!.data.previous, {
      status: 'finished',
      status_detail: 'ended',
      home_score: 1,
      away_score: 0,
    });
  });

  it('reveal the former value when they are withdrawn, if no source has sent a new one', async () => {
    const before = await result();
    await withdraw(await correct({ status: 'cancelled' }));
    assert.deepEqual(await result(), before);
  });

  it('turn a match that was ended by mistake into a fixture again', async () => {
    bench.nextMatch();
    id = await bench.accept({});
    const correction = await correct({ score: '2:1', status: 'finished' });
    assert.deepEqual(await result(), ['finished', 'ended', '2:1', true]);
    await bench.events();
    await withdraw(correction);
    assert.deepEqual(await result(), ['scheduled', 'not_started', ':', false]);
    assert.deepEqual(types(await bench.events()), ['match.correction']);
  });

  it('show the newer of two values for a field, and the older value once the newer correction is withdrawn', async () => {
    const first = await correct({ score: '1:0' });
    const second = await correct({ score: '5:0' });
    assert.equal((await result())[2], '5:0');
    await withdraw(second);
    assert.equal((await result())[2], '1:0');
    const third = await correct({ score: '6:0' });
    await withdraw(first);
    assert.equal((await result())[2], '6:0');
    await withdraw(third);
    assert.equal((await result())[2], '2:0');
  });

  it('change nothing if they are repeated', async () => {
    const first = await correct({ score: '1:0' });
    const before = await bench.footprint(id);
    assert.deepEqual(await correctMatch(bench.deps, id, { score: '1:0', reason: 'again' }, ANNA), {
      outcome: 'unchanged',
      id: first,
    });
    assert.deepEqual(await bench.footprint(id), before);
    assert.equal((await audited()).length, 1);
  });

  it('pin a value that a source has already given, without an event', async () => {
    await correct({ score: '2:0' });
    assert.deepEqual(await result(), ['live', 'in_play', '2:0', true]);
    assert.deepEqual(types(await bench.events()), []);
    await live({ status: 'live', score: { home: 3, away: 0 } });
    assert.equal((await result())[2], '2:0');
  });

  it('apply to status, kick-off, venue and cancellation', async () => {
    bench.nextMatch();
    id = await bench.accept({ venue: { name: 'The Ground', country: 'GB-ENG' }, start_time: '15:00' });
    await bench.events();
    await correct({ kickOff: '2024-05-02T18:30:00+02:00', venue: 'none' });
    const moved = await bench.card(id);
    assert.deepEqual(
      [moved.scheduled_start, moved.time_tbd, moved.venue, moved.extra.start_time],
      ['2024-05-02T16:30:00Z', false, null, null],
    );
    assert.deepEqual(types(await bench.events()), ['match.correction', 'match.rescheduled']);
    await correct({ kickOff: '2024-05-03', venue: 'The Ground' });
    const day = await bench.card(id);
    assert.deepEqual([day.scheduled_start, day.time_tbd, day.venue], ['2024-05-03T00:00:00Z', true, 'The Ground']);
    await bench.events();
    const cancelled = await correct({ status: 'cancelled' });
    assert.deepEqual(types(await bench.events()), ['match.correction', 'match.cancelled']);
    await live({ scheduled_start: '2024-05-04T14:00:00Z', status: 'live', score: { home: 1, away: 0 } });
    assert.deepEqual(await result(), ['finished', 'cancelled', ':', true]);
    await withdraw(cancelled);
    assert.deepEqual(await result(), ['live', 'in_play', '1:0', true]);
    assert.equal((await bench.card(id)).scheduled_start, '2024-05-03T00:00:00Z');
  });

  it('let a second source find a match by the former kick-off and by the corrected one', async () => {
    bench.nextMatch();
    const fixture = bench.update({});
    id = (await bench.feed(fixture))[0]!.matchId!;
    await correct({ kickOff: '2024-05-20T14:00:00Z' });
    for (const [provider, scheduled_start] of [
      ['bravo', fixture.match.scheduled_start],
      ['charlie', '2024-05-20T15:00:00Z'],
    ] as const) {
      const update = { ...fixture, provider, match: { ...fixture.match, id: bench.other(), scheduled_start } };
      assert.equal((await bench.feed(update))[0]!.matchId, id, provider);
    }
  });

  it('hide periods that do not add up to the corrected score, and show them again afterwards', async () => {
    const periods = [{ period: '1H', home: 2, away: 0 }];
    await live({ status: 'live', score: { home: 2, away: 0 }, period_scores: periods });
    const correction = await correct({ score: '1:0' });
    assert.deepEqual((await bench.card(id)).extra.period_scores, []);
    await withdraw(correction);
    assert.deepEqual((await bench.card(id)).extra.period_scores, periods);
    await correct({ score: '3:1', periods: '1H 2:0, 2H 1:1', status: 'finished' });
    assert.equal((await bench.card(id)).extra.period_scores.length, 2);
  });

  describe('a goal’s scorer', () => {
    const goal = { id: 'g', kind: 'goal', minute: 10, side: 'home', payload: {} } as const;
    const lineups: MatchFields['lineups'] = ['Ana', 'Bea'].map((name) => ({
      side: 'home',
      player: { id: `${name}-1`, name, birth_date: '2000-01-01' },
      is_substitute: false,
    }));
    const away = {
      side: 'away',
      player: { id: 'cyd', name: 'Cyd', birth_date: '2001-01-01' },
      is_substitute: false,
    } as const;
    const byAna = { ...goal, player: { id: 'Ana-1', name: 'Ana', birth_date: '2000-01-01' } };
    let incident: string;
    beforeEach(async () => {
      await live({ status: 'live', score: { home: 1, away: 0 }, incidents: [byAna], lineups: [...lineups, away] });
      incident = String((await bench.card(id)).incidents![0]!.id);
      await bench.events();
    });

    const scorers = async () => (await bench.card(id)).incidents!.map((one) => `${one.id} ${one.player_name}`);
    const goals = async () => {
      const { rows } = await bench.db.pool.query(
        'SELECT player_name, goals FROM match_player WHERE match_id = $1 ORDER BY 1',
        [id],
      );
      return (rows as { player_name: string; goals: number }[]).map((row) => `${row.player_name} ${row.goals}`);
    };

    it('is corrected in the incident, in the scorer list, and in the stream', async () => {
      const correction = await correct({ goal: incident, scorer: 'béa' });
      assert.deepEqual(await scorers(), [`${incident} Bea`]);
      assert.deepEqual(await goals(), ['Ana 0', 'Bea 1', 'Cyd 0']);
      const events = await bench.events();
      assert.deepEqual(types(events), ['match.correction', 'match.incident_updated']);
      assert.equal(
        (events[0]!.data.changes as { incidents: { player_name: string }[] }).incidents[0]!.player_name,
        'Bea',
      );
      assert.equal(events[1]!.data.incident!.player_name, 'Bea');
      assert.ok((await bench.card(id)).meta.sources.includes('Corrected by hand'));
      await withdraw(correction);
      assert.deepEqual(await scorers(), [`${incident} Ana`]);
      assert.deepEqual(await goals(), ['Ana 1', 'Bea 0', 'Cyd 0']);
    });

    it('stays corrected when the source repeats the incident list, edits it, and adds a goal', async () => {
      await correct({ goal: incident, scorer: 'Bea' });
      await bench.events();
      await live({ status: 'live', incidents: [byAna] });
      assert.deepEqual(await bench.events(), []);
      await live({
        status: 'live',
        score: { home: 2, away: 0 },
        incidents: [
          { ...byAna, minute: 11 },
          { ...goal, id: 'h', minute: 50 },
        ],
      });
      const events = await bench.events();
      assert.deepEqual(types(events), ['match.incident_updated', 'match.goal']);
      assert.deepEqual(events[0]!.data.changes, { minute: 11 });
      assert.deepEqual(await scorers(), [`${incident} Bea`, `${Number(incident) + 1} null`]);
      assert.deepEqual(await goals(), ['Ana 0', 'Bea 1', 'Cyd 0']);
    });

    it('is shown as in the source’s latest update once the correction is withdrawn', async () => {
      const correction = await correct({ goal: incident, scorer: 'Bea' });
      await live({ status: 'live', incidents: [{ ...goal, player: { name: 'Dora' } }] });
      assert.deepEqual(await scorers(), [`${incident} Bea`]);
      await withdraw(correction);
      assert.deepEqual(await scorers(), [`${incident} Dora`]);
    });

    it('is not confused with the scorer of another goal in the same minute, even if the source gives no ids', async () => {
      const { id: _id, ...unnumbered } = byAna;
      const list = [unnumbered, { ...unnumbered, player: { id: 'Bea-1', name: 'Bea', birth_date: '2000-01-01' } }];
      await live({ status: 'live', score: { home: 2, away: 0 }, incidents: list });
      const before = (await bench.card(id)).incidents!.map((one) => one.id);
      await correct({ goal: String(before[0]), scorer: 'Bea' });
      await bench.events();
      await live({ status: 'live', incidents: list });
      assert.deepEqual(await bench.events(), []);
      assert.deepEqual(
        await scorers(),
        before.map((one) => `${one} Bea`),
      );
    });

    it('is no longer corrected once the goal is removed', async () => {
      const correction = await correct({ goal: incident, scorer: 'Bea' });
      await bench.events();
      await live({ status: 'live', score: { home: 0, away: 0 }, incidents: [] });
      const [cancelled] = await bench.events();
      assert.deepEqual([cancelled!.type, cancelled!.data.incident!.player_name], ['match.goal_cancelled', 'Bea']);
      await withdraw(correction);
      assert.deepEqual((await bench.card(id)).incidents, []);
    });

    it('must play in the match, on the side that scored', async () => {
      assert.match(
        (await errors({ goal: incident, scorer: 'Zoe' }))[0]!,
        /scorer: Zoe does not play in this match; players of that side: Ana, Bea/,
      );
      assert.match(
        (await errors({ goal: incident, scorer: 'Cyd' }))[0]!,
        /Cyd does not play for the side of the scorer/,
      );
      assert.match(
        (await errors({ goal: '99', scorer: 'Ana' }))[0]!,
        /the match has no goal 99; its goals: \d+: 10' home Ana/,
      );
      assert.deepEqual(await errors({ goal: incident }), ['scorer: is required with a goal: the name of its scorer']);
      assert.deepEqual(await errors({ scorer: 'Ana' }), ['goal: is required with a scorer: the id of the goal']);
    });
  });

  describe('a careless operator', () => {
    it('cannot set a score before the start, an impossible status, or periods that do not add up to the score', async () => {
      bench.nextMatch();
      id = await bench.accept({});
      assert.deepEqual(await errors({ score: '1:0' }), ['score: a match has no score before its start']);
      await live({ status: 'finished', score: { home: 1, away: 0 } });
      assert.deepEqual(await errors({ status: 'scheduled' }), ['status: a finished match cannot be scheduled again']);
      assert.deepEqual(await errors({ score: '2:0', periods: '1H 1:0, 2H 0:0' }), [
        'period_scores: the periods add up to 1:0, not 2:0',
      ]);
      assert.deepEqual(await errors({ status: 'cancelled', score: '1:0' }), ['score: a cancelled match has no score']);
      assert.deepEqual(await audited(), []);
      assert.deepEqual(await listCorrections(bench.db.pool, id), []);
    });

    it('cannot set unreadable values', async () => {
      const wrong: [Omit<GivenCorrection, 'reason'>, RegExp][] = [
        [{}, /name at least one value/],
        [{ score: '2' }, /^score: must be two numbers/],
        [{ score: '99999:0' }, /^score: must be two numbers/],
        [{ periods: '1H' }, /^periods: must be the periods/],
        [{ periods: '1H 1:0, 1H 1:0' }, /^periods: has the period 1H twice/],
        [{ status: 'over' }, /^status: must be one of scheduled, live, finished, not_started/],
        [{ kickOff: '2024-05-01T12:00' }, /^kick_off: must be a time with its zone/],
        [{ kickOff: '0001-01-01' }, /^kick_off/],
        [{ venue: 'Nowhere' }, /^venue: there is no venue "Nowhere"/],
        [{ venue: '999999' }, /^venue: there is no venue/],
      ];
      for (const [given, expected] of wrong) assert.match((await errors(given))[0]!, expected);
    });

    it('cannot omit the reason, or give a reason that is too long', async () => {
      assert.deepEqual(await errors({ score: '1:0' }, ' '), ['reason: is required: it is shown in the audit log']);
      assert.deepEqual(await errors({ score: '1:0' }, 'x'.repeat(10_000)), [
        'reason: must have at most 500 characters',
      ]);
      assert.deepEqual(await errors({ score: '1:0' }, 'a\0b'), ['reason: must be well-formed text without NUL']);
    });

    it('cannot set a venue by a name that several venues share', async () => {
      for (const [index, country] of ['GB-ENG', 'DE'].entries())
        await live({ venue: { id: `same-${index}`, name: 'Same Arena', country } });
      assert.match(
        (await errors({ venue: 'same arena' }))[0]!,
        /several venues have this name, give the id of one: \d+ \(Same Arena, GB-ENG\); \d+/,
      );
    });

    it('cannot correct a match that is unknown or deleted', async () => {
      await live({ deleted: true });
      assert.match((await errors({ score: '1:0' }))[0]!, new RegExp(`There is no match ${id}|Match ${id} was deleted`));
      id = 999_999;
      assert.deepEqual(await errors({ score: '1:0' }), ['There is no match 999999.']);
    });

    it('cannot withdraw a correction twice, or one that does not exist', async () => {
      const correction = await correct({ score: '1:0' });
      await withdraw(correction);
      await assert.rejects(withdraw(correction), /was withdrawn by anna@example.com at 2024-/);
      await assert.rejects(withdraw(999_999), /There is no correction 999999/);
    });

    it('can withdraw a correction whose match has been deleted meanwhile', async () => {
      const correction = await correct({ score: '1:0' });
      await live({ deleted: true });
      assert.equal((await listCorrections(bench.db.pool, id)).length, 1);
      await withdraw(correction);
      await assert.rejects(withdraw(correction), /was withdrawn/);
    });
  });

  it('by two operators at once, while a feed runs, lead to one state, events in order, and an audit entry for each correction', async () => {
    const before = (await bench.card(id)).participants[0]!.score;
    assert.equal(before, 2);
    await Promise.all([
      correct({ score: '1:0' }),
      correct({ score: '7:0' }),
      live({ status: 'live', minute: 30, score: { home: 3, away: 0 } }),
      correct({ status: 'finished' }),
      live({ status: 'live', minute: 31, score: { home: 4, away: 0 } }),
    ]);
    const standing = await listCorrections(bench.db.pool, id);
    const newest = standing.find(({ fields }) => fields.home_score !== undefined)!;
    assert.deepEqual((await result()).slice(0, 3), ['finished', 'ended', `${newest.fields.home_score}:0`]);
    assert.equal((await audited()).length, 3);
    const sequences = (await bench.events()).map(({ data }) => data.sequence);
    assert.deepEqual(
      sequences,
      sequences.map((_, index) => sequences[0]! + index),
    );
    for (const { id: correction } of standing) await withdraw(correction);
    const card = await bench.card(id);
    assert.deepEqual([card.status, card.minute, card.participants[0]!.score], ['live', 31, 4]);
  });

  it('are withdrawn only once by two concurrent withdrawals', async () => {
    const correction = await correct({ score: '1:0' });
    const outcomes = await Promise.allSettled([withdraw(correction), withdraw(correction)]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.deepEqual(
      (await audited()).map(({ action }) => action),
      ['correction.made', 'correction.withdrawn'],
    );
  });

  it('are in the audit log with the operator, the reason, and the values before and after', async () => {
    const correction = await correct({ score: '1:0', status: 'finished' });
    await withdraw(correction);
    const [made, withdrawn] = await audited();
    assert.deepEqual(made, {
      actor: 'anna@example.com',
      action: 'correction.made',
      details: {
        correction,
        reason: 'the referee’s report',
        before: { status: 'live', home_score: 2, away_score: 0 },
        after: { status: 'finished', home_score: 1, away_score: 0 },
      },
    });
    assert.deepEqual(withdrawn!.details.after, { status: 'live', home_score: 2, away_score: 0 });
  });

  it('are not made if their audit entry cannot be written', async () => {
    const { pool } = bench.db;
    await pool.query("ALTER TABLE audit_entry ADD CONSTRAINT none CHECK (action <> 'correction.made') NOT VALID");
    try {
      await assert.rejects(correct({ score: '1:0' }), /audit_entry/);
    } finally {
      await pool.query('ALTER TABLE audit_entry DROP CONSTRAINT none');
    }
    assert.equal((await result())[2], '2:0');
    assert.deepEqual(await listCorrections(pool, id), []);
    assert.deepEqual(await bench.events(), []);
  });

  it('let a match become final only once, even if the source repeats its updates', async () => {
    await correct({ score: '1:0', status: 'finished' });
    await bench.events();
    bench.now += 25 * 3_600_000;
    const run = createHousekeeping(bench.deps);
    const own = async () => types((await bench.events()).filter(({ data }) => data.match.id === id));
    await run();
    assert.deepEqual(await own(), ['match.finalized']);
    await live({ status: 'live', minute: 90, score: { home: 2, away: 2 } });
    await run();
    assert.deepEqual(await own(), []);
    assert.equal((await bench.card(id)).finalized, true);
    await correct({ score: '1:1' });
    assert.equal((await bench.card(id)).finalized, false);
  });

  it('count as news, so a match no longer awaits data and is not marked again at once', async () => {
    bench.now += 5 * 3_600_000;
    await markAwaitingData(bench.deps);
    assert.equal((await bench.card(id)).status_detail, 'awaiting_data');
    await correct({ score: '3:0' });
    assert.equal((await bench.card(id)).status_detail, 'in_play');
    await markAwaitingData(bench.deps);
    assert.equal((await bench.card(id)).status_detail, 'in_play');
  });
});
