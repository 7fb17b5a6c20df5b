import assert from 'node:assert/strict';
import type { z } from 'zod';
import { routes } from '../../src/weather/routes.ts';
import type { weather } from '../../src/wire/match.ts';
import { FOOTBALL_GIVEN } from '../support/blocks.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';
import { type Service, startService } from '../support/service.ts';

type Reply = { event_id: number; available: boolean; weather: z.infer<typeof weather> | null };

describe('GET /v1/event/{id}/weather', () => {
  let service: Service;
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
    service = await startService({ db: bench.db, routes });
    bench.deps.changes = service.deps.changes;
  });
  after(async () => {
    await service.close();
    await bench.db.drop();
  });
  beforeEach(() => bench.nextMatch());

  const ask = (id: number | string, query = '', headers: Record<string, string> = {}) =>
    service.app.ask<Reply>(`/v1/event/${id}/weather${query}`, { headers });

  it('returns no weather for a match without any', async () => {
    const id = await bench.accept();
    const { status, json } = await ask(id);
    assert.deepEqual([status, json], [200, { event_id: id, available: false, weather: null }]);
  });

  it('gives the conditions in the request’s language, or in English', async () => {
    const { conditions: _, conditions_i18n: __, ...given } = FOOTBALL_GIVEN.weather!;
    const id = await bench.accept({ weather: { ...given, conditions: 'Wet', weather_code: 61 } });
    const of = async (query: string, accepted?: string) => {
      const { json, headers } = await ask(id, query, accepted === undefined ? {} : { 'Accept-Language': accepted });
      assert.deepEqual([json.event_id, json.available], [id, true]);
      return [json.weather!.conditions, headers.get('content-language')];
    };
    assert.deepEqual(await of(''), ['Light rain', 'en']);
    assert.deepEqual(await of('?lang=ru'), ['Небольшой дождь', 'ru']);
    assert.deepEqual(await of('', 'ru-RU, en;q=0.5'), ['Небольшой дождь', 'ru']);
    assert.deepEqual(await of('?lang=en', 'ru'), ['Light rain', 'en']);
    assert.match((await ask(id)).headers.get('vary')!, /Accept-Language/i);
    assert.equal((await bench.card(id)).weather!.conditions, 'Wet');
  });

  it('shows a change at once, and does not send an unchanged reply again', async () => {
    const id = await bench.accept({ weather: FOOTBALL_GIVEN.weather });
    const { headers } = await ask(id);
    assert.equal((await ask(id, '', { 'If-None-Match': headers.get('etag')! })).status, 304);
    await bench.accept({ weather: null });
    assert.equal((await ask(id, '', { 'If-None-Match': headers.get('etag')! })).json.available, false);
  });

  it('refuses unknown matches, bad ids and bad languages', async () => {
    assert.equal((await ask(4_711_000)).status, 404);
    for (const [id, query] of [
      ['0', ''],
      ['x', ''],
      ['1', '?lang=de'],
    ])
      assert.equal((await ask(id!, query)).status, 422);
  });
});
