import assert from 'node:assert/strict';
import { renderEnvelope } from '../../src/wire/envelope.ts';
import { EVENT_TYPES } from '../../src/wire/event-types.ts';
import { INCIDENT_KINDS, isIncidentKind } from '../../src/wire/incident-kinds.ts';
import { type Envelope, type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';

type Incident = NonNullable<MatchFields['incidents']>[number];

const STATISTIC = { period: 'ALL', group_name: null, stat_name: 'Shots', home_text: null, away_text: null };

describe('feed events', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(async () => {
    await bench.events();
    bench.nextMatch();
  });

  const goal = (over: Partial<Incident> = {}): Incident => ({
    kind: 'goal',
    minute: 10,
    side: 'home',
    player: { name: 'Striker' },
    payload: { goal_type: 'regular' },
    ...over,
  });
  const eventsAfter = async (match: MatchFields): Promise<Envelope[]> => {
    await bench.accept(match);
    return bench.events();
  };
  const score = (home: number, away: number) => ({ score: { home, away } });
  const kickOff = async (match: MatchFields = {}) => {
    await bench.accept();
    const id = await bench.accept({ status: 'live', ...match });
    await bench.events();
    return id;
  };

  it('include every event type, one event for each change, numbered from 1 without gaps', async () => {
    const seen: Envelope[] = [];
    const step = async (expected: string, match: MatchFields) => {
      const now = await eventsAfter(match);
      assert.deepEqual(types(now), [expected]);
      seen.push(...now);
    };
    const incidents: Incident[] = [];
    const add = (expected: string, incident: Incident, more: MatchFields = {}) => {
      incidents.push({ id: `i${incidents.length}`, ...incident });
      return step(expected, { incidents, ...more });
    };
    const without = (...kinds: string[]) => incidents.filter(({ kind }) => !kinds.includes(kind));

    await step('match.created', {});
    await step('match.rescheduled', { scheduled_start: '2024-05-01T15:00:00Z' });
    await step('match.postponed', { status_detail: 'postponed' });
    await step('match.lineup_updated', { lineup_confirmed: false });
    await step('match.lineup_confirmed', { lineup_confirmed: true });
    await step('match.odds_changed', { odds: [{ market_name: 'FT', choice_name: '1', decimal_value: 2 }] });
    await step('match.started', { status: 'live' });
    await add('match.period_started', { kind: 'period_start', period: '1H', minute: 0 });
    await add('match.goal', goal(), score(1, 0));
    await add('match.penalty_missed', { kind: 'penalty', minute: 12, side: 'away', payload: { outcome: 'saved' } });
    await add('match.card', { kind: 'card', minute: 13, side: 'away', payload: { card_type: 'yellow' } });
    await add('match.substitution', { kind: 'subst', side: 'home', payload: { player_in: 'A', player_out: 'B' } });
    await add('match.var', { kind: 'var', minute: 15, payload: { decision: 'no goal' } });
    await add('match.injury_time', { kind: 'injury_time', minute: 45, payload: { minutes: 3 } });
    await add('match.incident', { kind: 'drinks_break', minute: 46 });
    await add('match.period_ended', { kind: 'period_end', period: '1H', minute: 45 }, { status_detail: 'break' });
    await step('match.score_changed', score(2, 0));
    await step('match.statistics_updated', { statistics: [{ ...STATISTIC, home_value: 1, away_value: 2 }] });
    incidents[1]!.minute = 11;
    await step('match.incident_updated', { incidents });
    await step('match.incident_deleted', { incidents: without('card') });
    await step('match.goal_cancelled', { incidents: without('card', 'goal'), ...score(1, 0) });
    await step('match.suspended', { status_detail: 'suspended' });
    await step('match.resumed', { status_detail: 'in_play' });
    await step('match.penalty_shootout', {
      incidents: [
        ...without('card', 'goal'),
        { id: 'kick', kind: 'penalty_shootout', side: 'home', payload: { scored: true, order: 1 } },
      ],
    });
    await step('match.finished', { status: 'finished' });
    await step('match.correction', score(1, 1));
    await step('match.finalized', { finalized: true });
    await step('match.deleted', { deleted: true });
    assert.deepEqual(
      seen.map(({ data }) => data.sequence),
      seen.map((_, index) => index + 1),
    );
    assert.equal(new Set(seen.map(({ data }) => data.match.id)).size, 1);

    for (const [detail, expected] of [
      ['cancelled', 'match.cancelled'],
      ['abandoned', 'match.abandoned'],
    ] as const) {
      bench.nextMatch();
      await step('match.created', {});
      await step(expected, { status_detail: detail });
    }
    for (const [sport, kind, expected] of [
      ['basketball', 'point', 'match.point'],
      ['volleyball', 'set_end', 'match.set_ended'],
      ['cricket', 'wicket', 'match.wicket'],
      ['cricket', 'boundary', 'match.boundary'],
      ['cricket', 'over_end', 'match.over_ended'],
    ] as const) {
      bench.nextMatch();
      const common = { sport, tournament: { name: `A league of ${sport}`, country: 'GB-ENG' } };
      await step('match.created', common);
      await step('match.started', { ...common, status: 'live' });
      // In cricket, these incidents do not explain the score.
      const scored = sport === 'cricket' ? {} : score(1, 0);
      await step(expected, { ...common, incidents: [{ kind, side: 'home' }], ...scored });
    }
    assert.deepEqual(
      Object.keys(EVENT_TYPES).filter((type) => type.startsWith('match.') && !seen.some((one) => one.type === type)),
      [],
    );
  });

  it('have the match as it is after the change, and the observation time', async () => {
    await kickOff();
    const [{ data } = assert.fail('no event')] = await eventsAfter({
      minute: 10,
      ...score(1, 0),
      incidents: [goal({ id: 'g' })],
    });
    const { id: _id, tournament_id: _t, home, away, ...match } = data.match;
    assert.deepEqual(match, {
      sport: 'football',
      tournament: 'First League',
      season_label: '2023/24',
      status: 'live',
      status_detail: 'in_play',
      minute: 10,
      tier: null,
      importance: 30,
    });
    assert.deepEqual([home.score, away.score, home.name_ru], [1, 0, null]);
    assert.equal(data.occurred_at, `${new Date(bench.now).toISOString().slice(0, 19)}Z`);
    assert.deepEqual(data.incident, {
      id: 1,
      action: 'insert',
      minute: 10,
      minute_plus: null,
      period: null,
      kind: 'goal',
      side: 'home',
      player_name: 'Striker',
      player_participant_id: null,
      assist_name: null,
      assist_participant_id: null,
      payload: { goal_type: 'regular' },
    });
    assert.deepEqual([data.schema, data.changes, data.previous], [1, undefined, undefined]);
  });

  it('have the type that the reference lists for a new incident’s kind', async () => {
    for (const [kind, { event, sports = ['football'] }] of Object.entries<{
      event: string;
      sports?: readonly string[];
    }>(INCIDENT_KINDS)) {
      bench.nextMatch();
      const sport = sports.includes('football') ? 'football' : sports[0]!;
      const common = { sport, tournament: { name: `League of ${sport}`, country: 'GB-ENG' } };
      await bench.accept({ ...common, status: 'live' });
      await bench.events();
      const [one, ...more] = await eventsAfter({ ...common, incidents: [{ kind, side: 'home' }] });
      assert.deepEqual([one!.type, one!.data.incident!.kind, more], [event, kind, []]);
    }
  });

  it('have the kind "other" and the provider’s name for the kind if that is unknown', async () => {
    await kickOff();
    const [one] = await eventsAfter({ incidents: [{ kind: 'streaker', minute: 3, payload: { fast: true } }] });
    assert.equal(isIncidentKind('streaker'), false);
    assert.deepEqual([one!.type, one!.data.incident!.kind], ['match.incident', 'other']);
    assert.deepEqual(one!.data.incident!.payload, { fast: true, raw_kind: 'streaker' });
  });

  it('begin with match.created and the incidents reported so far if a match first appears during play', async () => {
    const events = await eventsAfter({ status: 'live', minute: 60, ...score(1, 0), incidents: [goal()] });
    assert.deepEqual(types(events), ['match.created', 'match.goal']);
    assert.deepEqual([events[0]!.data.match.status, events[0]!.data.match.home.score], ['live', 1]);
  });

  it('report several changes in one update separately, with the match’s end last', async () => {
    await kickOff();
    const events = await eventsAfter({
      status: 'finished',
      finalized: true,
      ...score(1, 0),
      incidents: [goal(), { kind: 'period_end', minute: 90 }],
      statistics: [],
    });
    const expected = [
      'match.goal',
      'match.period_ended',
      'match.statistics_updated',
      'match.finished',
      'match.finalized',
    ];
    assert.deepEqual(types(events), expected);
    assert.deepEqual(
      events.map(({ data }) => data.sequence),
      [3, 4, 5, 6, 7],
    );
  });

  it('report a new period by its status if no incident reports it', async () => {
    await kickOff();
    const details = ['break', 'in_play', 'extra_time', 'break', 'extra_time', 'penalties'] as const;
    const found: string[][] = [];
    for (const status_detail of details) found.push(types(await eventsAfter({ status_detail })));
    assert.deepEqual(found, [
      ['match.period_ended'],
      ['match.period_started'],
      ['match.period_started'],
      ['match.period_ended'],
      ['match.period_started'],
      ['match.period_started'],
    ]);
  });

  describe('the score', () => {
    const moves: [name: string, before: Incident[], after: Incident[], from: [number, number], to: [number, number], string[]][] = [
      ['a goal with its score', [], [goal()], [0, 0], [1, 0], ['match.goal']],
      ['a goal before its score', [], [goal()], [0, 0], [0, 0], ['match.goal']],
      ['the score of a goal that was reported before', [goal()], [goal()], [0, 0], [1, 0], ['match.score_changed']],
      ['a score without an incident', [], [], [0, 0], [0, 1], ['match.score_changed']],
      ['two goals at once', [], [goal(), goal({ minute: 11 })], [0, 0], [2, 0], ['match.goal', 'match.goal']],
      ['two goals of which one is reported', [], [goal()], [0, 0], [2, 0], ['match.goal', 'match.score_changed']],
      ['a goal of the other side', [], [goal({ side: 'away' })], [0, 0], [1, 0], ['match.goal', 'match.score_changed']],
      ['a goal that moves to the other side', [goal({ id: 'a' })], [goal({ id: 'a', side: 'away' })], [1, 0], [0, 1], ['match.incident_updated']],
      ['a goal taken back', [goal()], [], [1, 0], [0, 0], ['match.goal_cancelled']],
      ['a goal taken back, its score kept', [goal()], [], [1, 0], [1, 0], ['match.goal_cancelled']],
      ['a card with a score', [], [{ kind: 'card', minute: 1, side: 'home' }], [0, 0], [1, 0], ['match.card', 'match.score_changed']],
      ['a kick of a shoot-out', [], [{ kind: 'penalty_shootout', side: 'home' }], [1, 1], [1, 1], ['match.penalty_shootout']],
    ]; // biome-ignore format: a table
    for (const [name, before, after, from, to, expected] of moves) {
      it(`a score change (${name}) is reported as ${expected.join(', ')}`, async () => {
        await kickOff({ ...score(...from), incidents: before });
        const events = await eventsAfter({ ...score(...to), incidents: after, minute: 30 });
        assert.deepEqual(types(events), expected);
        const changed = events.find(({ type }) => type === 'match.score_changed')?.data;
        if (changed === undefined) return;
        const sides = ['home_score', 'away_score'].filter((_, index) => from[index] !== to[index]);
        assert.deepEqual(Object.keys(changed.changes!), sides);
        assert.deepEqual(
          sides.map((side) => [changed.previous![side], changed.changes![side]]),
          sides.map((side) => (side === 'home_score' ? [from[0], to[0]] : [from[1], to[1]])),
        );
      });
    }

    it('a late goal in a finished match is reported as a goal and as a correction of the score', async () => {
      await kickOff(score(0, 0));
      await bench.accept({ status: 'finished' });
      await bench.events();
      const events = await eventsAfter({ ...score(1, 0), incidents: [goal()] });
      assert.deepEqual(types(events), ['match.goal', 'match.correction']);
      assert.deepEqual(events[1]!.data.previous, { home_score: 0 });
    });
  });

  describe('incidents', () => {
    const shown = async (id: number) =>
      (await bench.card(id)).incidents!.map(({ id: own, kind, minute, player_name }) => [
        own,
        kind,
        minute,
        player_name,
      ]);

    it('an edited incident reports the changed fields, before and after, under the same id', async () => {
      const id = await kickOff({ incidents: [goal({ id: 'g' })], ...score(1, 0) });
      const [edited, ...none] = await eventsAfter({
        incidents: [goal({ id: 'g', minute: 12, player: { name: 'Other' }, payload: { goal_type: 'penalty' } })],
      });
      assert.deepEqual([edited!.type, none], ['match.incident_updated', []]);
      const { previous, changes, incident } = edited!.data;
      assert.deepEqual(previous, { minute: 10, player_name: 'Striker', payload: { goal_type: 'regular' } });
      assert.deepEqual(changes, { minute: 12, player_name: 'Other', payload: { goal_type: 'penalty' } });
      assert.deepEqual([incident!.id, incident!.action, incident!.player_name], [1, 'update', 'Other']);
      assert.deepEqual(await shown(id), [[1, 'goal', 12, 'Other']]);
    });

    it('a removed incident reports its former fields, and its id is never reused', async () => {
      const card: Incident = { id: 'c', kind: 'card', minute: 20, side: 'away', player: { name: 'Rough' } };
      const id = await kickOff({ incidents: [goal({ id: 'g' }), card], ...score(1, 0) });
      const [removed] = await eventsAfter({ incidents: [goal({ id: 'g' })] });
      assert.equal(removed!.type, 'match.incident_deleted');
      const { action, ...incident } = removed!.data.incident!;
      assert.equal(action, 'delete');
      assert.deepEqual(removed!.data.previous, { incident });
      await eventsAfter({ incidents: [goal({ id: 'g' }), card] });
      assert.deepEqual(
        (await shown(id)).map(([own]) => own),
        [1, 3],
      );
    });

    const twins = [goal({ minute: 5 }), goal({ minute: 5 }), { kind: 'card', minute: 7, side: 'away' as const }];
    for (const [name, ids] of [
      ['with ids of the provider', true],
      ['without', false],
    ] as const) {
      it(`incidents that arrive in a different order keep their ids, even if two are equal, ${name}`, async () => {
        const given = twins.map((one, index) => (ids ? { ...one, id: `x${index}` } : one));
        const id = await kickOff({ incidents: given, ...score(2, 0) });
        const events = await eventsAfter({ incidents: given.toReversed(), referee: 'R' });
        assert.deepEqual(events, []);
        const order = (await shown(id)).map(([own]) => own);
        assert.deepEqual(order, ids ? [3, 2, 1] : [3, 1, 2]);
      });
    }

    it('one incident is removed when one of two equal incidents disappears', async () => {
      await kickOff({ incidents: twins, ...score(2, 0) });
      assert.deepEqual(types(await eventsAfter({ incidents: twins.slice(1), ...score(1, 0) })), [
        'match.goal_cancelled',
      ]);
    });

    it('an incident without an id counts as edited if its minute, player or detail is corrected, but as new if the minute is distant', async () => {
      const whistle = (period: string, minute: number | null): Incident => ({ kind: 'period_start', period, minute });
      await kickOff({ incidents: [goal()], ...score(1, 0) });
      const edits: Incident[] = [
        goal({ minute: 12 }),
        goal({ minute: 12, player: { name: 'Other' } }),
        goal({ minute: 12, player: undefined }),
        goal({ minute: 13, player: { name: 'Third' } }),
        goal({ minute: 13, player: { name: 'Third' }, payload: { goal_type: 'penalty' } }),
      ];
      for (const edit of edits) {
        assert.deepEqual(
          types(await eventsAfter({ incidents: [edit] })),
          ['match.incident_updated'],
          JSON.stringify(edit),
        );
      }
      const another = await eventsAfter({ incidents: [goal({ minute: 60, player: { name: 'Fourth' } })] });
      assert.deepEqual(types(another), ['match.goal_cancelled', 'match.goal']);
      bench.nextMatch();
      await kickOff({ incidents: [whistle('1H', null)] });
      const second = await eventsAfter({ incidents: [whistle('2H', null), whistle('1H', null)] });
      assert.deepEqual(
        second.map(({ type, data }) => [type, data.incident!.period]),
        [['match.period_started', '2H']],
      );
    });

    it('two incidents with different ids from one provider stay separate, even if they look alike', async () => {
      await kickOff({ incidents: [goal({ id: 'a' })], ...score(1, 0) });
      const events = await eventsAfter({ incidents: [goal({ id: 'b' })] });
      assert.deepEqual(types(events), ['match.goal_cancelled', 'match.goal']);
    });

    it('a second provider’s ids for the same incidents cause no event, even when that provider takes over', async () => {
      const first = [goal({ id: '1' }), goal({ id: '2', minute: 50 })];
      await kickOff({ incidents: first, ...score(2, 0) });
      // The second provider uses the same numbers in reverse order. Compared by these ids, both incidents would look edited.
      const second = [goal({ id: '2' }), goal({ id: '1', minute: 50 })];
      const over = { provider: 'second' };
      const [same] = await bench.feed(bench.update({ incidents: second }, over));
      assert.equal(same!.outcome, 'unchanged');
      bench.now += 6 * 60_000;
      const third = [...second, goal({ id: '3', minute: 80 })];
      const id = await bench.accept({ incidents: third, ...score(3, 0) }, over);
      assert.deepEqual(types(await bench.events()), ['match.goal']);
      await bench.accept({ incidents: third.map((one) => (one.id === '1' ? { ...one, minute: 59 } : one)) }, over);
      const [edited] = await bench.events();
      assert.deepEqual(
        [edited!.type, edited!.data.incident!.id, edited!.data.incident!.minute],
        ['match.incident_updated', 2, 59],
      );
      assert.deepEqual(
        (await shown(id)).map(([own, , minute]) => [own, minute]),
        [
          [1, 10],
          [2, 59],
          [3, 80],
        ],
      );
    });

    it('ids that a provider starts to send later are stored without an event', async () => {
      const id = await kickOff({ incidents: [goal()], ...score(1, 0) });
      const [same] = await bench.feed(bench.update({ incidents: [goal({ id: 'now' })] }));
      assert.equal(same!.outcome, 'unchanged');
      const [edited] = await eventsAfter({
        incidents: [goal({ id: 'now', minute: 70, player: { name: 'Quite another' } })],
      });
      assert.equal(edited!.type, 'match.incident_updated');
      assert.deepEqual(await shown(id), [[1, 'goal', 70, 'Quite another']]);
    });
  });

  describe('sizes', () => {
    it('an envelope has at most 64 KiB after any edit', async () => {
      const wide = (letter: string) => ({ text: letter.repeat(16 * 1024 - 13) });
      const incident = (letter: string): Incident => ({
        id: 'big',
        kind: 'var',
        player: { name: letter.repeat(200) },
        assist: { name: letter.repeat(200) },
        payload: wide(letter),
      });
      await kickOff({ incidents: [incident('a')] });
      await bench.accept({ incidents: [incident('b')] });
      const { rows } = await bench.db.pool.query('SELECT octet_length(envelope) AS bytes FROM outbox');
      assert.equal(rows.length, 1);
      assert.ok(rows[0].bytes <= 65_536, `${rows[0].bytes} bytes`);
      const [edited] = await bench.events();
      assert.deepEqual((edited!.data.previous!.payload as { text: string }).text.slice(0, 3), 'aaa');
    });

    it('an envelope that would be larger omits changes and previous values', async () => {
      await kickOff();
      const [{ data } = assert.fail('no event')] = await eventsAfter(score(1, 0));
      const text = renderEnvelope('match.score_changed', {
        ...data,
        previous: { text: 'x'.repeat(65_536) },
      });
      const { data: sent } = JSON.parse(text) as Envelope;
      assert.deepEqual([sent.previous, sent.changes, sent.match], [undefined, undefined, data.match]);
    });
  });
});
