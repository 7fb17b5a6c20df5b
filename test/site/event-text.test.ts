import assert from 'node:assert/strict';
import { eventText } from '../../src/site/event-text.ts';
import { SPORTS } from '../../src/sports/sports.ts';
import { type EnvelopeData, type EnvelopeMatch, EXAMPLE_EVENT } from '../../src/wire/envelope.ts';
import { EVENT_TYPES, type EventType } from '../../src/wire/event-types.ts';
import { INCIDENT_KINDS, type IncidentKindName } from '../../src/wire/incident-kinds.ts';

type Incident = NonNullable<EnvelopeData['incident']>;

const ARSENAL = { id: 1, name: 'Arsenal', name_ru: 'Арсенал', score: 2 };
const CHELSEA = { id: 2, name: 'Chelsea', name_ru: null, score: 1 };

const incident = (kind: IncidentKindName, more: Partial<Incident> = {}): Incident => ({
  ...EXAMPLE_EVENT.data.incident!,
  minute: 78,
  kind,
  side: 'home',
  player_name: 'Saka',
  period: '2H',
  payload: {},
  ...more,
});

function event(type: EventType, match: Partial<EnvelopeMatch> = {}, more: Partial<EnvelopeData> = {}) {
  const { incident: _incident, ...data } = EXAMPLE_EVENT.data;
  return {
    type,
    data: { ...data, match: { ...data.match, home: ARSENAL, away: CHELSEA, minute: 78, ...match }, ...more },
  };
}

const texts = (given: ReturnType<typeof event>) =>
  (['en', 'ru'] as const).map((lang) => {
    const text = eventText(given, lang);
    return text === null ? null : `${text.title} | ${text.body}`;
  });

/** The event that reports an added incident. */
const added = (one: Incident, match: Partial<EnvelopeMatch> = {}) =>
  event(INCIDENT_KINDS[one.kind as IncidentKindName].event, match, { incident: one });

describe('the text of an event', () => {
  it('tells a goal with its minute, its scorer and how it was scored', () => {
    assert.deepEqual(texts(added(incident('goal'))), [
      'Arsenal 2–1 Chelsea | ⚽ 78′ Saka',
      'Арсенал 2–1 Chelsea | ⚽ 78′ Saka',
    ]);
    const penalty = incident('goal', { minute: 90, minute_plus: 4, payload: { goal_type: 'penalty' } });
    assert.equal(texts(added(penalty))[1], 'Арсенал 2–1 Chelsea | ⚽ 90+4′ Saka (пен.)');
    const unknown = incident('goal', { player_name: null, payload: { goal_type: 'own_goal' } });
    assert.deepEqual(texts(added(unknown)), [
      'Arsenal 2–1 Chelsea | ⚽ 78′ Goal: Arsenal (own goal)',
      'Арсенал 2–1 Chelsea | ⚽ 78′ Гол: Арсенал (автогол)',
    ]);
  });

  it("shows a goal's own score if one update brought two goals", () => {
    const first = incident('goal', { payload: { score: { home: 1, away: 1 } } });
    assert.equal(texts(added(first))[0], 'Arsenal 1–1 Chelsea | ⚽ 78′ Saka');
    const bad = incident('goal', { payload: { score: { home: '<b>', away: 1 } } });
    assert.equal(eventText(added(bad), 'en')?.title, 'Arsenal – Chelsea');
  });

  it('tells the beginning, the breaks and the end of a match in the words of its sport', () => {
    const wanted: [EventType, Partial<EnvelopeMatch>, Partial<EnvelopeData>, string, string][] = [
      ['match.started', {}, {}, '⚽ Kick-off', '⚽ Начало'],
      ['match.period_ended', { status_detail: 'break', minute: 45 }, {}, '⏸ Half-time', '⏸ Перерыв'],
      ['match.period_ended', { status_detail: 'break', minute: 90 }, {}, '⏸ Break', '⏸ Перерыв'],
      [
        'match.period_started',
        {},
        { incident: incident('period_start') },
        '▶ Start: second half',
        '▶ Начало второго тайма',
      ],
      ['match.period_started', { status_detail: 'penalties' }, {}, '▶ Penalties', '▶ Пенальти'],
      ['match.finished', { status: 'finished', status_detail: 'ended' }, {}, '🏁 Full time', '🏁 Завершён'],
      [
        'match.finished',
        { status: 'finished', status_detail: 'after_penalties' },
        {},
        '🏁 After penalties',
        '🏁 По пенальти',
      ],
      ['match.abandoned', { status: 'finished', status_detail: 'abandoned' }, {}, '🏁 Abandoned', '🏁 Прекращён'],
      ['match.postponed', { status: 'scheduled', status_detail: 'postponed' }, {}, '📅 Postponed', '📅 Перенесён'],
    ];
    for (const [type, match, more, en, ru] of wanted)
      assert.deepEqual(
        texts(event(type, match, more)).map((text) => text?.split(' | ')[1]),
        [en, ru],
        type,
      );
  });

  it('tells incidents of other sports', () => {
    const wanted: [string, Incident, string][] = [
      [
        'tennis',
        incident('set_end', { period: 'S2', payload: { games: { home: 6, away: 4 } } }),
        '🔔 End: set 2 (6:4)',
      ],
      ['basketball', incident('period_end', { period: 'Q1' }), '🔔 End: quarter 1'],
      ['basketball', incident('point', { payload: { points: 3, point_type: 'three' } }), '🏀 78′ Saka (+3)'],
      [
        'cricket',
        incident('wicket', { minute: null, payload: { over: '17.2', runs: 158, wickets: 4, player_out: 'Kohli' } }),
        '🏏 17.2 158/4 Kohli',
      ],
      [
        'ice-hockey',
        incident('suspension', { payload: { minutes: 2, reason: 'tripping' } }),
        '⏱ 78′ Saka (2\u00a0min, tripping)',
      ],
      [
        'football',
        incident('card', { payload: { card_type: 'second_yellow', reason: 'foul' } }),
        '🟨🟥 78′ Saka (foul)',
      ],
      ['football', incident('penalty'), '❌ 78′ Penalty missed: Saka'],
      [
        'football',
        incident('penalty_shootout', { payload: { scored: true, score: { home: 4, away: 3 } } }),
        '⚽ Saka scored (4:3)',
      ],
      ['football', incident('subst', { payload: { player_in: 'Nelson', player_out: 'Saka' } }), '🔁 78′ Nelson ← Saka'],
      ['football', incident('injury_time', { payload: { minutes: 5 } }), '⏱ 5 min added'],
    ];
    for (const [sport, one, body] of wanted) assert.equal(eventText(added(one, { sport }), 'en')?.body, body);
    const fight = event('match.finished', { sport: 'mma', status: 'finished', status_detail: 'ended' });
    assert.equal(eventText(fight, 'en')?.title, 'Arsenal – Chelsea');
  });

  it('names the side whose score rose without an incident, and says that a score was corrected', () => {
    const rise = { changes: { home_score: 2 }, previous: { home_score: 1 } };
    assert.equal(eventText(event('match.score_changed', {}, rise), 'en')?.body, '⚽ 78′ Arsenal');
    const fall = { changes: { home_score: 1 }, previous: { home_score: 2 } };
    assert.equal(eventText(event('match.score_changed', {}, fall), 'ru')?.body, '↩ Счёт исправлен');
    const taken = event('match.goal_cancelled', {}, { incident: incident('goal', { action: 'delete' }) });
    assert.equal(eventText(taken, 'en')?.body, '↩ 78′ Goal disallowed: Saka');
  });

  it('is null for what is no news, and repeats a goal once its scorer is known', () => {
    for (const type of ['match.odds_changed', 'match.statistics_updated', 'match.created', 'webhook.ping'] as const)
      assert.equal(eventText(event(type), 'en'), null);
    const edited = { incident: incident('goal', { action: 'update' }) };
    assert.equal(eventText(event('match.incident_updated', {}, { ...edited, changes: { minute: 78 } }), 'en'), null);
    assert.equal(
      eventText(event('match.incident_updated', {}, { ...edited, changes: { player_name: 'Saka' } }), 'en')?.body,
      '⚽ 78′ Saka',
    );
  });

  it('makes one short line of hostile names', () => {
    const hostile = `<b>@everyone</b>\u202e\n\u0000[x](http://evil)${'Ж'.repeat(5_000)}`;
    const evil = { ...ARSENAL, name: hostile, name_ru: hostile };
    const all = Object.keys(INCIDENT_KINDS) as IncidentKindName[];
    const payload = Object.fromEntries(
      [
        'reason',
        'over',
        'player_in',
        'player_out',
        'decision',
        'raw_kind',
        'point_type',
        'how_out',
        'card_type',
        'minutes',
        'score',
      ].map((name) => [name, hostile]),
    );
    for (const { slug } of SPORTS)
      for (const kind of all)
        for (const type of Object.keys(EVENT_TYPES) as EventType[])
          for (const lang of ['en', 'ru'] as const) {
            const one = incident(kind, { player_name: hostile, period: hostile, payload });
            const text = eventText(event(type, { sport: slug, home: evil }, { incident: one }), lang);
            if (text === null) continue;
            for (const shown of [text.title, text.body]) {
              assert.doesNotMatch(shown, /[\p{Cc}\u202e]/u);
              assert.ok([...shown].length <= 400, shown);
            }
          }
  });
});
