import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { routes as competitionRoutes } from '../../src/competitions/routes.ts';
import { csvWriter } from '../../src/http/csv.ts';
import { routes as matchRoutes } from '../../src/matches/routes.ts';
import { routes as statisticsRoutes } from '../../src/statistics/routes.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

const response = z.strictObject({
  count: z.int(),
  rows: z.array(
    z.strictObject({
      name: z.string(),
      value: z.number().nullable(),
      nested: z.strictObject({ city: z.string(), tags: z.array(z.string()) }).nullable(),
      sides: z.array(z.strictObject({ side: z.enum(['home', 'away']), score: z.int().nullable() })),
    }),
  ),
});
const row = { name: 'a', value: 1, nested: { city: 'b', tags: ['x', 'y'] }, sides: [{ side: 'away', score: 2 }] };
const HEADER = 'name,value,nested_city,nested_tags,home_score,away_score';
const write = (...rows: object[]) =>
  String(csvWriter(response, 'rows')({ body: { count: rows.length, rows } }, null).body);

describe('replies as CSV', () => {
  it('have columns from the schema, even without rows', () => {
    assert.equal(write(), `${HEADER}\r\n`);
    assert.equal(write(row), `${HEADER}\r\na,1,b,"[""x"",""y""]",,2\r\n`);
    assert.equal(write({ ...row, value: null, nested: null, sides: [] }), `${HEADER}\r\na,,,,,\r\n`);
  });

  it('have an apostrophe before text that begins like a formula, but not before negative numbers', () => {
    for (const name of ['=cmd()', '+1', '-1', '@SUM(A1)', '\tx', '\rx']) {
      const [, [first] = []] = parse(write({ ...row, name })) as string[][];
      assert.equal(first, `'${name}`);
    }
    assert.equal((parse(write({ ...row, value: -3 })) as string[][])[1]![1], '-3');
  });

  it('preserve quotes, commas, line breaks and any alphabet', () => {
    for (const name of ['say "hi", now', 'two\nlines', 'Ñandú Жук 字 😀', ' spaces '])
      assert.equal((parse(write({ ...row, name })) as string[][])[1]![0], name);
  });

  it('are the same whether the handler returns objects, text or bytes, and their entity tag differs from that of JSON replies', () => {
    const csv = csvWriter(response, 'rows');
    const json = JSON.stringify({ count: 1, rows: [row] });
    for (const body of [json, Buffer.from(json)]) assert.equal(csv({ body }, null).body, write(row));
    assert.equal(csv({ body: json, etag: 'v1' }, null).etag, 'v1-csv');
  });

  it('need a member that is a list of objects, and the service refuses to start if a route lacks such a member', () => {
    assert.throws(() => csvWriter(response, 'count'), TypeError);
    assert.throws(() => csvWriter(response, 'nothing'), TypeError);
  });

  describe('over REST', () => {
    let fed: Fed;
    let league: number;
    before(async () => {
      fed = await startFed([...matchRoutes, ...competitionRoutes, ...statisticsRoutes]);
      await fed.tournaments({ sport: 'football', name: 'League', country: 'GB-ENG', tier: 1 });
      await fed.matches({
        id: 'c1',
        sport: 'football',
        tournament: { name: 'League', country: 'GB-ENG' },
        season: { label: '2023/24' },
        home: { name: '=cmd()', country: 'GB-ENG' },
        away: { name: 'Cedar, "The" Team', country: 'GB-ENG' },
        scheduled_start: '2024-01-01T15:00:00Z',
        status: 'finished',
        status_detail: 'ended',
        score: { home: 2, away: 1 },
      });
      league = await fed.tournamentId('League');
    });
    after(() => fed.close());
    const read = async (path: string) => {
      const { status, headers, text } = await fed.app.ask(path);
      assert.equal(status, 200, text);
      assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
      return parse(text, { columns: true }) as Record<string, string>[];
    };

    it('have one row for each match, with both sides', async () => {
      const [match, ...others] = await read('/v1/events?format=csv');
      assert.equal(others.length, 0);
      assert.deepEqual(
        [match!.scheduled_start, match!.home_name, match!.home_score, match!.away_name, match!.away_score],
        ['2024-01-01T15:00:00Z', "'=cmd()", '2', 'Cedar, "The" Team', '1'],
      );
      assert.deepEqual(await read('/v1/events?format=csv&status=live'), []);
    });

    it('have rows for tables, scorers, leaders, squads and statistics', async () => {
      const table = await read(`/v1/tournament/${league}/standings?format=csv`);
      assert.deepEqual(
        table.map(({ position, points, name }) => [position, points, name]),
        [
          ['1', '3', "'=cmd()"],
          ['2', '0', 'Cedar, "The" Team'],
        ],
      );
      const team = table[1]!.participant_id;
      assert.deepEqual(await read(`/v1/tournament/${league}/scorers?format=csv`), []);
      assert.deepEqual(await read(`/v1/tournament/${league}/leaders?format=csv`), []);
      assert.deepEqual(await read(`/v1/participant/${team}/squad?format=csv`), []);
      const [season] = await read(`/v1/participant/${team}/statistics?format=csv`);
      assert.deepEqual([season!.matches, season!.losses, season!.minutes], ['1', '1', '']);
    });

    it('have entity tags that differ from the JSON ones, and errors stay problems in JSON', async () => {
      const path = `/v1/tournament/${league}/standings`;
      const tags = await Promise.all(
        ['json', 'csv'].map(async (form) => (await fed.app.ask(`${path}?format=${form}`)).headers.get('etag')),
      );
      assert.notEqual(tags[0], tags[1]);
      const headers = { 'if-none-match': tags[1]! };
      assert.equal((await fed.app.ask(`${path}?format=csv`, { headers })).status, 304);
      assert.equal((await fed.app.ask(`${path}?format=json`, { headers })).status, 200);
      const wrong = await fed.app.ask(`${path}?format=xml`);
      assert.equal(wrong.status, 422);
      assert.match(wrong.json.detail, /format: must be one of json, csv/);
      assert.equal((await fed.app.ask('/v1/tournament/999999/standings?format=csv')).json.code, 'not_found');
    });
  });
});
