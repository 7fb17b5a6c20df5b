import assert from 'node:assert/strict';
import { type EnvelopeData, envelope, renderEnvelope } from '../../src/wire/envelope.ts';

const side = (id: number, name: string) => ({ id, name, name_ru: null, score: 1 });
const data: EnvelopeData = {
  schema: 1,
  sequence: 3,
  occurred_at: '2026-03-01T12:00:00Z',
  match: {
    id: 42,
    sport: 'football',
    tournament_id: 7,
    tournament: 'First League',
    season_label: '2025/26',
    status: 'live',
    status_detail: 'in_play',
    minute: 10,
    home: side(1, 'Home'),
    away: side(2, 'Away'),
  },
};
const incident = (payload: Record<string, unknown>): EnvelopeData['incident'] => ({
  id: 5,
  minute: 10,
  minute_plus: null,
  period: '1H',
  kind: 'goal',
  side: 'home',
  player_name: 'Scorer',
  player_participant_id: 3,
  assist_name: null,
  assist_participant_id: null,
  payload,
  action: 'insert',
});

describe('an envelope', () => {
  it('has exactly id, type and data, in this order', () => {
    const text = renderEnvelope('match.goal', data);
    assert.ok(text.startsWith('{"id":"evt_42_3","type":"match.goal","data":{"schema":1,"sequence":3,'));
    assert.deepEqual(Object.keys(JSON.parse(text)), ['id', 'type', 'data']);
    assert.deepEqual(envelope.parse(JSON.parse(text)).data, data);
  });

  it('has no line break, because that would end a line in the stream', () => {
    const text = renderEnvelope('match.goal', { ...data, changes: { text: 'a\nb\r\nc' } });
    assert.ok(!/[\r\n]/.test(text));
  });

  it('is sent without changes and previous if it is larger than 64 KiB in UTF-8', () => {
    const fits = 'Ж'.repeat(15_000);
    const large = 'Ж'.repeat(20_000);
    const whole = renderEnvelope('match.correction', { ...data, changes: { fits }, previous: { fits } });
    assert.ok(Buffer.byteLength(whole) <= 65_536);
    assert.equal(envelope.parse(JSON.parse(whole)).data.changes?.fits, fits);
    const text = renderEnvelope('match.correction', { ...data, changes: { large }, previous: { large } });
    assert.ok(Buffer.byteLength(text) <= 65_536);
    assert.deepEqual(envelope.parse(JSON.parse(text)).data, data);
  });

  it('is sent whole at exactly 64 KiB, and is too large with one byte more', () => {
    const text = (length: number) =>
      renderEnvelope('match.correction', { ...data, changes: { pad: 'x'.repeat(length) } });
    const empty = Buffer.byteLength(text(0));
    assert.equal(Buffer.byteLength(text(65_536 - empty)), 65_536);
    assert.ok(Buffer.byteLength(text(65_537 - empty)) < 1_000);
  });

  it('omits an incident’s payload if the payload alone is too large', () => {
    const payload = { note: 'x'.repeat(100_000) };
    const text = renderEnvelope('match.incident', { ...data, incident: incident(payload), previous: { payload } });
    assert.ok(Buffer.byteLength(text) <= 65_536);
    assert.deepEqual(envelope.parse(JSON.parse(text)).data, { ...data, incident: incident({}) });
    const small = renderEnvelope('match.incident', {
      ...data,
      incident: incident({ note: 'short' }),
      previous: { payload },
    });
    assert.deepEqual(envelope.parse(JSON.parse(small)).data, { ...data, incident: incident({ note: 'short' }) });
  });
});
