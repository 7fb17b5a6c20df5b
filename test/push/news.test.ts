import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import type { LogRecord } from '../../src/events/event-log.ts';
import { Messages } from '../../src/push/messages.ts';
import { mayBeNews, readNews } from '../../src/push/news.ts';
import { type EnvelopeData, type EnvelopeMatch, EXAMPLE_EVENT } from '../../src/wire/envelope.ts';
import type { EventType } from '../../src/wire/event-types.ts';

type Incident = NonNullable<EnvelopeData['incident']>;

function record(
  type: EventType,
  { sport = 'football', ...match }: Partial<EnvelopeMatch> = {},
  incident?: Partial<Incident>,
  more: Partial<EnvelopeData> = {},
): LogRecord {
  const { incident: example, ...data } = EXAMPLE_EVENT.data;
  const whole = {
    ...data,
    match: { ...data.match, sport, ...match },
    ...(incident && { incident: { ...example!, ...incident } }),
    ...more,
  };
  const envelope = JSON.stringify({ id: 'evt_397_12', type, data: whole });
  return { cursor: 7, matchId: 397, sport, tournamentId: 2, type, envelope, committedAt: 1_000, appendedAt: 1_000 };
}

const isNews = (one: LogRecord) => mayBeNews(one) && readNews(one) !== null;

describe('the news for fans', () => {
  it('is in each sport what does not happen every minute', () => {
    const cases: [EventType, string, Partial<Incident> | undefined, boolean][] = [
      ['match.started', 'basketball', undefined, true],
      ['match.finished', 'chess', undefined, true],
      ['match.goal', 'football', { kind: 'goal' }, true],
      ['match.goal', 'ice-hockey', { kind: 'goal' }, true],
      ['match.goal', 'handball', { kind: 'goal' }, false],
      ['match.goal', 'aussie-rules', { kind: 'goal' }, false],
      ['match.point', 'basketball', { kind: 'point' }, false],
      ['match.point', 'rugby', { kind: 'point' }, true],
      ['match.set_ended', 'tennis', { kind: 'set_end' }, true],
      ['match.point', 'tennis', { kind: 'point' }, false],
      ['match.wicket', 'cricket', { kind: 'wicket' }, true],
      ['match.boundary', 'cricket', { kind: 'boundary' }, false],
      ['match.card', 'football', { kind: 'card', payload: { card_type: 'yellow' } }, false],
      ['match.card', 'football', { kind: 'card', payload: { card_type: 'second_yellow' } }, true],
      ['match.card', 'football', { kind: 'card', payload: { card_type: 'red' } }, true],
      ['match.substitution', 'football', { kind: 'subst' }, false],
      ['match.score_changed', 'football', undefined, true],
      ['match.score_changed', 'basketball', undefined, false],
      ['match.odds_changed', 'football', undefined, false],
      ['match.statistics_updated', 'football', undefined, false],
      ['match.correction', 'football', undefined, false],
      ['webhook.ping', 'football', undefined, false],
    ];
    for (const [type, sport, incident, wanted] of cases)
      assert.equal(isNews(record(type, { sport }, incident)), wanted, `${type} in ${sport}`);
  });

  it('has breaks, but not the end of the last period', () => {
    assert.ok(isNews(record('match.period_ended', { status_detail: 'break' })));
    assert.ok(!isNews(record('match.period_ended', { status: 'finished', status_detail: 'ended' })));
    assert.ok(!isNews(record('match.period_ended', { sport: 'tennis', status_detail: 'break' })));
  });

  it('replaces a goal silently when its scorer is known, and aloud when it is taken back', () => {
    const goal = readNews(record('match.goal', {}, { kind: 'goal', player_name: null }))!;
    const changed = { changes: { player_name: 'Saka' } };
    const named = readNews(record('match.incident_updated', {}, { kind: 'goal', player_name: 'Saka' }, changed))!;
    const taken = readNews(record('match.goal_cancelled', {}, { kind: 'goal', action: 'delete' }))!;
    const other = readNews(record('match.goal', {}, { kind: 'goal', id: 5_121 }))!;
    assert.equal(goal.texts.en.tag, '397-incident-5120');
    assert.deepEqual([named.texts.en.tag, taken.texts.ru.tag], [goal.texts.en.tag, goal.texts.en.tag]);
    assert.deepEqual([named.topic, taken.topic], [goal.topic, goal.topic]);
    assert.notEqual(other.topic, goal.topic);
    assert.deepEqual(
      [goal, named, taken].map(({ texts }) => texts.en.renotify),
      [true, false, true],
    );
  });

  it('is plain text that fits into a message, even with hostile names', async () => {
    const name = '<img src=x onerror=alert(1)>\u0000\u202e@everyone'.repeat(500);
    const home = { id: 1, name, name_ru: 'Ж'.repeat(5_000), score: 1 };
    const incident = {
      kind: 'goal',
      player_name: '😀'.repeat(5_000),
      payload: { goal_type: name },
    } as Partial<Incident>;
    const news = readNews(record('match.goal', { home, away: home }, incident))!;
    const publicKey = createECDH('prime256v1').generateKeys('base64url');
    const privateKey = Buffer.alloc(32, 7).toString('base64url');
    const messages = new Messages({ publicKey, privateKey }, 'mailto:a@example.com');
    for (const lang of ['en', 'ru'] as const) {
      const { title, body } = news.texts[lang];
      assert.ok([...title, ...body].length < 250);
      const keys = { p256dh: publicKey, auth: randomBytes(16).toString('base64url') };
      const sent = await messages.create({ endpoint: 'https://fcm.googleapis.com/x', keys }, lang, news, 600_000, 0);
      // Push services accept at least 4,096 bytes (RFC 8030, 7.2).
      assert.ok(sent.body.length <= 4_096, String(sent.body.length));
      assert.equal(sent.headers.TTL, '600');
    }
    assert.equal(news.texts.en.path, 'match/397');
  });
});
