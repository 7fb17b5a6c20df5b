import { strict as assert } from 'node:assert';
import { dateOnly, findZone, isDay, localToUtc, offsetToUtc } from '../../src/providers/local-time.ts';

describe('local kick-offs', () => {
  it('are converted to UTC by the stadium’s time zone, in summer and in winter', () => {
    assert.equal(localToUtc('2023-08-11', '20:00', 'Europe/London'), '2023-08-11T19:00:00Z');
    assert.equal(localToUtc('2023-12-26', '15:00', 'Europe/London'), '2023-12-26T15:00:00Z');
    assert.equal(localToUtc('2024-06-14', '21:00', 'Europe/Berlin'), '2024-06-14T19:00:00Z');
    assert.equal(localToUtc('2014-06-14', '21:00', 'America/Sao_Paulo'), '2014-06-15T00:00:00Z');
    // China had summer time in 1991. Until 2014, Russia was an hour further from UTC.
    assert.equal(localToUtc('1991-09-13', '19:45', 'Asia/Shanghai'), '1991-09-13T10:45:00Z');
    assert.equal(localToUtc('2013-07-13', '13:30', 'Europe/Moscow'), '2013-07-13T09:30:00Z');
    assert.equal(localToUtc('2024-01-01', '9.05', 'Europe/London'), '2024-01-01T09:05:00Z');
  });

  it('are converted to UTC by their offset if they have one, even across midnight', () => {
    assert.equal(offsetToUtc('2026-06-11', '20:00', -6), '2026-06-12T02:00:00Z');
    assert.equal(offsetToUtc('2018-06-15', '02:00', 5), '2018-06-14T21:00:00Z');
  });

  it('use the city’s own zone if it differs from the country’s usual zone', () => {
    assert.equal(findZone('BR', 'Manaus'), 'America/Manaus');
    assert.equal(findZone('BR', 'Recife'), 'America/Sao_Paulo');
    assert.equal(findZone('US', 'Pasadena'), 'America/Los_Angeles');
    assert.equal(findZone('XX'), undefined);
  });

  it('are refused if the day or the time does not exist', () => {
    for (const time of ['25:00', '12:60', 'noon', ''])
      assert.equal(localToUtc('2024-01-01', time, 'Europe/London'), undefined);
    for (const day of ['2024-02-30', '2024-13-01', '24-01-01', '', '2024-1-1']) assert.equal(isDay(day), false, day);
    assert.equal(isDay('2024-02-29'), true);
    assert.deepEqual(dateOnly('1954-06-17'), { scheduled_start: '1954-06-17T00:00:00Z', time_tbd: true });
  });
});
