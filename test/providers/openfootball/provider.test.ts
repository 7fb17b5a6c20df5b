import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { openfootballJson } from '../../../src/importers/openfootball/openfootball-json.ts';
import { provider } from '../../../src/providers/openfootball/provider.ts';
import { matchUpdate } from '../../../src/wire/feed-update.ts';
import { filesOf, readAll, removeFiles } from '../../importers/fixture.ts';
import { playProvider, runProvider } from '../../support/provider-run.ts';

const PATH = '/2026-27/en.1.json';
const AT = '2026-07-10T06:00:00Z';
const match = (more: object = {}) => ({
  round: 'Matchday 1',
  date: '2026-08-15',
  time: '15:00',
  team1: 'Arsenal FC',
  team2: 'Chelsea FC',
  ...more,
});
const file = (...matches: unknown[]) => ({ name: 'English Premier League 2026/27', matches });

describe('the provider openfootball', () => {
  it('refuses an unknown league', () => {
    assert.match(provider.start(null) as string, /openfootball:en\.1/);
    for (const scope of ['', 'EN.1', '../x', 'en.1.json/..', 'en 1'])
      assert.match(provider.start(scope) as string, /not the code/);
    assert.match(provider.start('zz.1') as string, /not known/);
    assert.deepEqual(provider.start('en.1'), { code: 'en.1' });
    // Poland is not in our list, but its file names the league.
    assert.deepEqual(provider.start('pl.1'), { code: 'pl.1' });
  });

  it('reads the season once a day, and the next season from some weeks before it begins', () => {
    const plan = (scope: string, at: string) => runProvider(provider, scope).plan(at, 'json');
    assert.deepEqual(plan('en.1', '2026-04-10T00:00:00Z'), ['/2025-26/en.1.json every 86400 s']);
    assert.deepEqual(plan('en.1', '2026-05-10T00:00:00Z'), [
      '/2025-26/en.1.json every 86400 s',
      '/2026-27/en.1.json every 86400 s',
    ]);
    assert.deepEqual(plan('en.1', '2026-07-10T00:00:00Z'), [`${PATH} every 86400 s`]);
    assert.deepEqual(plan('br.1', '2026-07-10T00:00:00Z'), ['/2026/br.1.json every 86400 s']);
    assert.deepEqual(plan('br.1', '2026-12-10T00:00:00Z'), [
      '/2026/br.1.json every 86400 s',
      '/2027/br.1.json every 86400 s',
    ]);
    assert.deepEqual(plan('ar.1', '2026-07-10T00:00:00Z'), ['/2026/ar.1.json every 86400 s']);
  });

  it('gives a fixture with sides, round and start in the league’s local time', () => {
    const read = (scope: string, path: string, name: string, more: object) =>
      runProvider(provider, scope).match(path, { name, matches: [match(more)] }, AT);
    assert.deepEqual(read('en.1', PATH, 'English Premier League 2026/27', {}), {
      id: 'en.1/2026/27/Arsenal FC/Chelsea FC',
      sport: 'football',
      tournament: { name: 'Premier League', country: 'GB-ENG', gender: 'men' },
      season: { label: '2026/27' },
      home: { name: 'Arsenal FC', country: 'GB-ENG' },
      away: { name: 'Chelsea FC', country: 'GB-ENG' },
      scheduled_start: '2026-08-15T14:00:00Z',
      time_tbd: false,
      start_time: '15:00',
      round_num: 1,
      round_name: 'Matchday 1',
      group_name: null,
    });
    const start = (scope: string, path: string, name: string, more: object) => {
      const found = read(scope, path, name, more);
      return [found?.scheduled_start, found?.time_tbd];
    };
    const winter = { date: '2026-12-26' };
    assert.deepEqual(start('en.1', PATH, 'English Premier League 2026/27', winter), ['2026-12-26T15:00:00Z', false]);
    assert.deepEqual(start('br.1', '/2026/br.1.json', 'Brasileiro Série A 2026', winter), [
      '2026-12-26T18:00:00Z',
      false,
    ]);
    assert.deepEqual(start('en.1', PATH, 'English Premier League 2026/27', { time: undefined }), [
      '2026-08-15T00:00:00Z',
      true,
    ]);
    assert.deepEqual(start('en.1', PATH, 'English Premier League 2026/27', { time: 'noon' }), [
      '2026-08-15T00:00:00Z',
      true,
    ]);
  });

  it('refuses replies with a wrong structure, or for another season or league', () => {
    const run = runProvider(provider, 'en.1');
    for (const body of [null, [], 'text', {}, { matches: [] }, { name: 7, matches: [] }, { name: 'x', matches: {} }])
      assert.match(run.refuse(PATH, body, AT), /no file of openfootball/);
    assert.match(
      run.refuse(PATH, { ...file(match()), name: 'English Premier League 2025/26' }, AT),
      /not the season 2026-27/,
    );
    assert.match(run.refuse(PATH, { ...file(match()), name: 'English Premier League' }, AT), /not the season 2026-27/);
    assert.match(run.refuse(PATH, { ...file(match()), name: 'English Championship 2026/27' }, AT), /not en\.1/);
    assert.match(run.refuse('/2026-27/de.1.json', file(match()), AT), /no request/);
    assert.deepEqual(run.read(PATH, file(), AT).updates, []);
  });

  it('leaves out an unreadable match with a reason, and a match between unknown sides without a reason', () => {
    const { updates, unknown } = runProvider(provider, 'en.1').read(
      PATH,
      file(
        'text',
        match({ date: '2026-02-30' }),
        match({ team1: '' }),
        match({ score: { ft: [1] } }),
        match({ team1: 'N.N.' }),
        match(),
      ),
      AT,
    );
    assert.deepEqual(
      unknown.map(({ path }) => path),
      ['matches[0]', 'matches[1]', 'matches[2]', 'matches[3]'],
    );
    assert.equal(updates.length, 1);
  });

  it('turns fixtures into a calendar, keeps a moved fixture as the same match, and adds its result later', async () => {
    const play = await playProvider(provider, 'en.1');
    const step = (body: unknown, day: string) => play.events(PATH, body, `2026-${day}T06:00:00Z`);
    const second = match({ team1: 'Everton FC', team2: 'Fulham FC' });
    assert.deepEqual(await step(file(match(), second), '07-10'), ['match.created', 'match.created']);
    assert.deepEqual(await step(file(match(), second), '07-11'), []);
    assert.deepEqual(await step(file(match({ date: '2026-08-16', time: '16:30' }), second), '07-12'), [
      'match.rescheduled',
    ]);
    // Lists that lack one match or all of them delete nothing.
    assert.deepEqual(await step(file(), '07-13'), []);
    assert.deepEqual(await step(file(second), '07-14'), []);
    const result = match({ date: '2026-08-16', time: '16:30', score: { ht: [1, 0], ft: [2, 1] } });
    assert.deepEqual(await step(file(result, second), '08-18'), ['match.score_changed', 'match.finished']);
    // The file as it was before the change.
    assert.deepEqual(await step(file(match({ date: '2026-08-16', time: '16:30' }), second), '08-19'), []);
    const card = await play.card('en.1/2026/27/Arsenal FC/Chelsea FC');
    assert.deepEqual(
      [
        card.status,
        card.scheduled_start,
        card.participants.map(({ name, score }) => [name, score]),
        card.extra.period_scores.length,
      ],
      [
        'finished',
        '2026-08-16T15:30:00Z',
        [
          ['Arsenal', 2],
          ['Chelsea', 1],
        ],
        2,
      ],
    );
    await play.close();
  });

  describe('with recorded files', () => {
    const RECORDED = new URL('../../../../shared/datasets/openfootball/football.json/', import.meta.url);
    after(removeFiles);

    it('reads every file as the importer does, and in the right season', async function () {
      if (!existsSync(RECORDED)) {
        console.warn(`      SKIPPED: ${RECORDED.pathname} is not there`);
        this.skip();
      }
      this.timeout(60_000);
      for (const folder of ['2025-26', '2025']) {
        for (const name of readdirSync(new URL(`${folder}/`, RECORDED))) {
          const text = gunzipSync(readFileSync(new URL(`${folder}/${name}`, RECORDED))).toString();
          const code = name.replace('.json.gz', '');
          const path = `/${folder}/${code}.json`;
          const run = runProvider(provider, code);
          assert.ok(
            run.plan('2025-09-01T00:00:00Z', 'json').some((one) => one.startsWith(`${path} `)),
            path,
          );
          const { updates } = run.read(path, JSON.parse(text), '2026-06-01T00:00:00Z');
          const { matches } = await readAll(openfootballJson, filesOf({ [`${folder}/${code}.json`]: text }));
          const envelope = { schema: 1, provider: 'openfootball', observed_at: '2026-06-01T00:00:00Z' };
          const ours = updates.map((update) => matchUpdate.parse({ ...envelope, ...update }).match);
          assert.deepEqual(ours, matches, path);
        }
      }
    });
  });
});
