/** Tests the specification's summary table. Each endpoint in it returns its content for the sample catalogue. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type SampleService, startSampleService } from '../support/sample-service.ts';
import { openWebSocket } from '../support/websocket-client.ts';

const SPEC = fileURLToPath(new URL('../../../shared/spec/sports-data-service.md', import.meta.url));

/**
 * Endpoints by purpose. Each has a path, which the table does not always show, and members that the reply has to have.
 */
const ENDPOINTS: Readonly<Record<string, { path: string; members?: string[]; query?: Record<string, string> }>> = {
  'Sports list': { path: '/v1/sports', members: ['sports'] },
  'Matches and schedule': { path: '/v1/events', members: ['count', 'events'] },
  'Match detail': {
    path: '/v1/event/{id}',
    members: ['id', 'scheduled_start', 'participants', 'incidents', 'statistics', 'lineups'],
  },
  'Live matches': { path: '/v1/events/live', members: ['count', 'events', 'as_of'] },
  Standings: { path: '/v1/tournament/{id}/standings', members: ['tournament_id', 'standing_type', 'table'] },
  'Top scorers': { path: '/v1/tournament/{id}/scorers', members: ['scorers'] },
  'Cup bracket': { path: '/v1/tournament/{id}/bracket', members: ['rounds'] },
  Rankings: { path: '/v1/rankings', query: { kind: 'fifa' }, members: ['kind', 'rankings'] },
  Transfers: { path: '/v1/participant/{id}/transfers', members: ['total', 'transfers'] },
  'Tournaments list': { path: '/v1/tournaments', members: ['tournaments'] },
  'Search participants': {
    path: '/v1/participants/search',
    query: { q: 'Albion' },
    members: ['count', 'participants'],
  },
  'Participant profile': { path: '/v1/participant/{id}', members: ['id', 'type', 'name_i18n', 'image_url'] },
  'Participant image': { path: '/v1/participant/{id}/image' },
  'Participant matches': { path: '/v1/participant/{id}/events', members: ['count', 'events'] },
  Countries: { path: '/v1/countries', members: ['countries'] },
  'Pre-match analytics': { path: '/v1/event/{id}/analytics', members: ['event_id', 'model', 'h2h'] },
  'Team trends': { path: '/v1/participant/{id}/trends', members: ['participant_id', 'trends'] },
  'League profile': { path: '/v1/tournament/{id}/profile', members: ['tournament_id'] },
  Weather: { path: '/v1/event/{id}/weather', members: ['event_id', 'available', 'weather'] },
  'History synchronisation': { path: '/v1/sync', members: ['next_cursor', 'has_more'] },
  'SSE stream': { path: '/v1/stream' },
  'WebSocket stream': { path: '/v1/stream/ws' },
  Replay: { path: '/v1/stream/replay', query: { since: '0' }, members: ['events', 'next_cursor', 'has_more'] },
  'Standings widget': { path: '/widget/standings' },
  'League trends widget': { path: '/widget/trends' },
};

interface Row {
  purpose: string;
  method: string;
  path: string;
}

function summaryTable(): Row[] {
  const [, text = ''] = readFileSync(SPEC, 'utf8').split('### Summary table');
  const lines = text.split(/\n(?=#)/, 1)[0]!.split('\n');
  return lines
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
    .filter((cells) => cells.length === 5 && !/^(Purpose|-+)$/.test(cells[1]!))
    .map(([, purpose, method, path]) => ({ purpose: purpose!, method: method!, path: path! }));
}

describe("the specification's endpoint table", function () {
  this.timeout(120_000);
  let db: TestDatabase;
  let clickhouse: ClickHouseServer;
  let service: SampleService;
  before(async function () {
    if (!existsSync(SPEC)) {
      console.log('      ../shared/spec is not there: its table is not walked');
      this.skip();
    }
    db = await createTestDatabase();
    clickhouse = await startClickHouseServer();
    service = await startSampleService({ DATABASE_URL: db.url, CLICKHOUSE_URL: clickhouse.url });
  });
  after(async () => {
    await service?.stop();
    await clickhouse?.stop();
    await db?.drop();
  });

  it('lists only endpoints that this test knows, under the service’s paths', () => {
    const rows = summaryTable();
    assert.deepEqual(rows.map(({ purpose }) => purpose).sort(), Object.keys(ENDPOINTS).sort());
    for (const { purpose, path } of rows)
      if (path !== 'not shown') assert.equal(path.replace('{widget_url}', ''), ENDPOINTS[purpose]!.path);
  });

  for (const [purpose, { path, query = {}, members }] of Object.entries(ENDPOINTS)) {
    it(`${purpose}: ${path}`, async () => {
      const tournament = service.targetOf({ path: '/v1/tournament/{id}' }).split('/').at(-1)!;
      const target = service.targetOf({ path }, path.startsWith('/widget') ? { tournament } : query);
      const headers = { 'x-api-key': service.key };
      if (path === '/v1/stream/ws') {
        const client = openWebSocket(service.url + target, headers);
        await client.next('connected');
        client.ws.close();
        return;
      }
      const stopped = new AbortController();
      const answer = await fetch(service.url + target, { headers, signal: stopped.signal });
      assert.equal(answer.status, 200, target);
      const type = answer.headers.get('content-type')!;
      if (path === '/v1/stream') {
        assert.match(type, /^text\/event-stream/);
        stopped.abort();
        return;
      }
      const text = await answer.text();
      if (members === undefined) assert.match(type, /^(text\/html|image\/)/);
      else
        for (const member of members)
          assert.ok(member in JSON.parse(text), `${target} lacks ${member}: ${text.slice(0, 300)}`);
      assert.ok(text.length > 20, target);
    });
  }
});
