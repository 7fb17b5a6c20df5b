import assert from 'node:assert/strict';
import fc from 'fast-check';
import { archiveRequests, forecastRequests, requestCost, type Target } from '../../src/weather/requests.ts';
import { forecastEvery, nextAt } from '../../src/weather/schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('the weather schedule', () => {
  it('renews a forecast more often as the kick-off nears', () => {
    const hours = [1, 6, 7, 24, 25, 48, 49, 168, 169, 336].map((before) => forecastEvery(before * HOUR) / HOUR);
    assert.deepEqual(hours, [1, 1, 3, 3, 6, 6, 12, 12, 24, 24]);
  });

  it('renews a forecast for the last time at the kick-off, and replaces it by archived weather six days later', () => {
    assert.equal(nextAt('forecast', NOW + 10 * MINUTE, NOW), NOW + 10 * MINUTE);
    assert.equal(nextAt('forecast', NOW, NOW), NOW + 6 * DAY);
    assert.equal(nextAt('forecast', NOW - 2 * DAY, NOW), NOW + 4 * DAY);
    assert.equal(nextAt('archive', NOW - 7 * DAY, NOW), Number.POSITIVE_INFINITY);
  });

  it('repeats a request for weather that the provider lacks, less and less often for old matches', () => {
    assert.equal(nextAt('none', NOW + 3 * HOUR, NOW), NOW + HOUR);
    assert.equal(nextAt('none', NOW - DAY, NOW), NOW + 6 * HOUR);
    assert.equal(nextAt('none', NOW - 6 * DAY, NOW), NOW + 3 * DAY);
    assert.equal(nextAt('none', NOW - 1_000 * DAY, NOW), NOW + 500 * DAY);
  });

  it('renews every answer that is not final, later or at once from the archive', () => {
    const minutes = fc.integer({ min: -4_000 * 1_440, max: 14 * 1_440 });
    fc.assert(
      fc.property(minutes, fc.constantFrom('forecast' as const, 'none' as const), (offset, kind) => {
        const start = NOW + offset * MINUTE;
        const next = nextAt(kind, start, NOW);
        return next > NOW || (kind === 'forecast' && start <= NOW - 6 * DAY && next === NOW);
      }),
    );
  });
});

describe('weather requests', () => {
  const target = fc.record({
    match_id: fc.integer({ min: 1, max: 1e6 }),
    hour: fc.integer({ min: -24 * 90, max: 0 }),
    latitude: fc.constantFrom(51.55, -33.9, 0),
    longitude: fc.constantFrom(-0.11, 151.2),
  });
  const targets = (max: number) =>
    fc.array(target, { maxLength: 40 }).map((list) =>
      list.map(({ hour, ...rest }): Target => {
        const at = NOW + (hour + max) * HOUR;
        return { ...rest, hour: at, start: at, stadium: 'Ground', city: null };
      }),
    );

  it('cover each match once, by its place and day', () => {
    for (const build of [archiveRequests, (list: Target[]) => forecastRequests(list, NOW)]) {
      fc.assert(
        fc.property(targets(0), (list) => {
          const requests = build(list);
          assert.deepEqual(requests.flatMap((one) => one.targets).sort(compare), [...list].sort(compare));
          for (const { from, to, latitude, longitude, targets: served } of requests) {
            for (const one of served) {
              const day = new Date(one.hour).toISOString().slice(0, 10);
              assert.ok(day >= from && day <= to && one.latitude === latitude && one.longitude === longitude);
            }
          }
        }),
      );
    }
  });

  it('cover at most a fortnight if they go to the archive, so that each counts as one request', () => {
    fc.assert(
      fc.property(targets(0), (list) => {
        for (const request of archiveRequests(list)) assert.equal(requestCost(request), 1);
      }),
    );
    assert.deepEqual(
      [requestCost({ from: '2026-03-01', to: '2026-03-14' }), requestCost({ from: '2026-03-01', to: '2026-03-15' })],
      [1, 2],
    );
  });

  it('include days beyond the matches in a forecast if these cost nothing', () => {
    const one: Target = {
      match_id: 1,
      start: NOW,
      hour: NOW,
      latitude: 1,
      longitude: 2,
      stadium: 'Ground',
      city: null,
    };
    const [request] = forecastRequests([one], NOW);
    assert.deepEqual([request!.from, request!.to, requestCost(request!)], ['2026-03-01', '2026-03-14', 1]);
  });
});

const compare = (a: Target, b: Target) =>
  a.match_id - b.match_id || a.hour - b.hour || a.latitude - b.latitude || a.longitude - b.longitude;
