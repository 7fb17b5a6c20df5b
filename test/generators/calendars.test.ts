/** Tests calendars with the Python package icalendar. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { routes } from '../../src/calendars/routes.ts';
import { parseCalendar } from '../calendars/parsed.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';
import { missingOf, pythonTools, SOURCES } from './toolbox.ts';

describe('calendars in Python', function () {
  this.timeout(600_000);
  let fed: Fed;
  let env: Record<string, string>;
  before(async function () {
    if (missingOf(['python3']).length > 0) {
      console.warn('      SKIPPED, because this machine has no python3');
      this.skip();
    }
    env = await pythonTools();
    fed = await startFed(routes);
    const match = {
      sport: 'football',
      tournament: { name: 'Кубок, "A"; B\\n', country: 'RU' },
      season: { label: '2024' },
      scheduled_start: '2024-06-08T14:00:00Z',
      away: { name: `${'Длинное имя 😀 '.repeat(12)}`, country: 'RU' },
      venue: { name: 'Stadium\nEND:VEVENT\r\nX:\u0007y', country: 'RU' },
    };
    const named = (id: string) => ({ ...match, id, home: { name: `Хозяева ${id}, "и"; другие`, country: 'RU' } });
    await fed.matches(
      named('played'),
      named('moved'),
      named('gone'),
      { ...named('day'), time_tbd: true },
      named('cancelled'),
    );
    await fed.matches(
      { ...named('played'), status: 'finished', score: { home: 2, away: 1 } },
      { ...named('moved'), scheduled_start: '2024-06-09T18:30:00Z' },
      { ...named('gone'), deleted: true },
      { ...named('cancelled'), status_detail: 'cancelled' },
    );
  });
  after(() => fed?.close());

  function readByPython(text: string) {
    const script = join(SOURCES, 'python', 'read_calendar.py');
    const { status, stdout, stderr } = spawnSync('python3', [script], { input: text, env: { ...process.env, ...env } });
    assert.equal(status, 0, stderr.toString());
    return JSON.parse(stdout.toString());
  }
  async function read(path: string) {
    const { status, text } = await fed.app.ask(path, { key: null });
    assert.equal(status, 200, text);
    const read = readByPython(text);
    assert.deepEqual(read, parseCalendar(text));
    return read as ReturnType<typeof parseCalendar>;
  }

  it('are read by icalendar without an error, and as ical.js reads them', async () => {
    const { rows } = await fed.db.pool.query<{ id: number }>('SELECT id FROM tournament');
    for (const lang of ['en', 'ru']) {
      const { entries, name } = await read(`/calendar/tournament/${rows[0]!.id}.ics?lang=${lang}`);
      assert.match(name, /^Кубок, "A"; B\\n: /);
      assert.equal(entries.length, 5);
      const of = (id: string) => entries.find(({ summary }) => summary.startsWith(`Хозяева ${id}, "и"; другие`))!;
      assert.match(of('played').summary, / 2–1 Длинное имя 😀/);
      assert.deepEqual([of('moved').sequence, of('moved').start], [1, '2024-06-09T18:30:00Z']);
      assert.deepEqual([of('gone').status, of('gone').sequence], ['CANCELLED', 1]);
      assert.deepEqual([of('day').start, of('day').end], ['2024-06-08', null]);
      assert.equal(of('cancelled').status, 'CANCELLED');
      assert.equal(of('played').location, 'Stadium\nEND:VEVENT\nX:y');
    }
  });

  it('are read by icalendar even without a match', async () => {
    fed.now += 400 * 24 * 3_600_000;
    fed.changed();
    const { rows } = await fed.db.pool.query<{ id: number }>('SELECT id FROM tournament');
    assert.deepEqual((await read(`/calendar/tournament/${rows[0]!.id}.ics`)).parts, ['vtimezone']);
  });
});
