import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasReached, readPosition } from '../../src/wire/position.ts';
import { type ReplicatedService, startReplicatedService } from '../support/replicated-service.ts';
import { until } from '../support/until.ts';

const POSITION = 'touchline-position';

interface Scored {
  participants: [{ score: number }, unknown];
}

describe('a service with a read replica', function suite() {
  this.timeout(120_000);
  let service: ReplicatedService;
  const ids: number[] = [];
  before(async () => {
    service = await startReplicatedService();
    for (let match = 0; match < 12; match += 1) {
      await service.score(match, 0);
      ids.push(await service.idOf(match));
    }
    await service.servers.caughtUp();
  });
  after(() => service.close());

  const card = async (api: number, match: number, position?: string) => {
    const reply = await service.get(api, `/v1/event/${ids[match]}`, position);
    assert.equal(reply.status, 200);
    const { participants } = (await reply.json()) as Scored;
    return { goals: participants[0].score, position: reply.headers.get(POSITION)!, reply };
  };
  const reads = async (api: number) => {
    const found = [
      ...(await service.metrics(api)).matchAll(/^touchline_replica_reads_total\{target="(\w+)".*\} (\d+)$/gm),
    ];
    const sum = (target: string) =>
      found.reduce((sum, [, one, count]) => sum + (one === target ? Number(count) : 0), 0);
    return { replica: sum('replica'), primary: sum('primary') };
  };

  it('answers cards, lists and sync from the replica, and says how far it has come', async () => {
    const before = await reads(0);
    for (const path of [
      `/v1/event/${ids[0]}`,
      '/v1/events?limit=5',
      '/v1/events/live',
      '/v1/sync?limit=3',
      '/v1/sports',
    ]) {
      const reply = await service.get(0, path);
      assert.equal(reply.status, 200, path);
      assert.notEqual(readPosition(reply.headers.get(POSITION) ?? ''), null, path);
      assert.match(reply.headers.get('vary')!, /Touchline-Position/);
      await reply.arrayBuffer();
    }
    const after = await reads(0);
    assert.ok(after.replica >= before.replica + 4, JSON.stringify(after));
  });

  it('searches on the replica, and on the primary for a team that the replica lacks', async () => {
    const found = async (position?: string) => {
      const reply = await service.get(0, '/v1/search?q=home+12', position);
      return (await reply.text()).includes('"Home 12"');
    };
    await service.servers.caughtUp();
    const before = await reads(0);
    assert.equal(await found(), false);
    assert.equal((await reads(0)).replica, before.replica + 1);
    await service.servers.pause();
    try {
      assert.equal(await found(await service.score(12, 0)), true);
      ids.push(await service.idOf(12));
    } finally {
      await service.servers.resume();
    }
  });

  it('answers the tools of agents from the replica, and shows them the change at the position that they name', async () => {
    const call = async (position?: string) => {
      const params = { name: 'event', arguments: { id: ids[10] } };
      const answer = await fetch(`${service.apis[0]!.address}/mcp`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2025-06-18',
          'X-API-Key': service.key,
          ...(position !== undefined && { 'Touchline-Position': position }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      const text = (await answer.text()).replace(/^event: .*\ndata: /, '');
      const { result } = JSON.parse(text) as { result: { content: [{ text: string }] } };
      return (JSON.parse(result.content[0].text) as Scored).participants[0].score;
    };
    await service.servers.caughtUp();
    const before = await reads(0);
    assert.equal(await call(), 0);
    assert.ok((await reads(0)).replica > before.replica);
    await service.servers.pause();
    try {
      assert.equal(await call(await service.score(10, 2)), 2);
    } finally {
      await service.servers.resume();
    }
  });

  it('sends no position where no replica may have been read', async () => {
    for (const path of ['/v1/account', '/', '/openapi.json']) {
      const reply = await service.get(0, path);
      await reply.arrayBuffer();
      assert.equal(reply.headers.get(POSITION), null, path);
    }
  });

  it('lets scripts of other origins read the position', async () => {
    const reply = await fetch(`${service.apis[0]!.address}/v1/sports`, { headers: { Origin: 'https://example.com' } });
    assert.match(reply.headers.get('access-control-expose-headers')!, /Touchline-Position/);
  });

  it('refuses what is not a position, and answers a position that does not exist yet', async () => {
    for (const text of [
      'x',
      '1',
      '1-',
      '0-1',
      '1-0x10',
      '1-16b3740',
      '-1-16B3740',
      '1-FFFFFFFFFFFFFFFFFF',
      '1-1, 1-1',
    ]) {
      const reply = await service.get(0, '/v1/events/live', text);
      assert.equal(reply.status, 400, text);
      assert.equal(((await reply.json()) as { code: string }).code, 'bad_request');
    }
    for (const text of ['1-FFFFFFFFFFF', '4294967295-1']) assert.equal((await card(0, 0, text)).goals >= 0, true);
  });

  it('shows the change that a feed was told of, in every process, while the replica lags', async () => {
    await service.servers.pause();
    try {
      const old = await Promise.all([0, 1].map((api) => card(api, 1)));
      const position = await service.score(1, 3);
      for (const api of [0, 1]) {
        const { goals, position: shown } = await card(api, 1, position);
        assert.equal(goals, 3);
        assert.ok(hasReached(readPosition(shown)!, readPosition(position)!));
        const live = await (await service.get(api, '/v1/events/live', position)).json();
        const item = (live as { events: ({ id: number } & Scored)[] }).events.find(({ id }) => id === ids[1]);
        assert.equal(item!.participants[0].score, 3);
      }
      assert.ok(old.every(({ goals }) => goals === 0));
      // Without a position the notice alone is enough, within a second.
      await sleep(100);
      for (const api of [0, 1]) assert.equal((await card(api, 1)).goals, 3);
    } finally {
      await service.servers.resume();
    }
  });

  it('never answers with less than the client has seen, with a lag that changes', async () => {
    let checks = 0;
    for (const delay of [0, 30, 300]) {
      await service.servers.delay(delay);
      await Promise.all(
        Array.from({ length: 6 }, async (_, client) => {
          const match = 2 + client;
          let position: string | undefined;
          for (let goals = 1; goals <= 8; goals += 1) {
            position = await service.score(match, goals + delay);
            for (const api of [0, 1, 0]) {
              const shown = await card(api, match, position);
              assert.equal(shown.goals, goals + delay, `${delay} ms, goal ${goals}, api ${api}`);
              position = shown.position;
              checks += 1;
            }
          }
        }),
      );
    }
    await service.servers.delay(0);
    assert.equal(checks, 3 * 6 * 8 * 3);
  });

  it('reads the pages of a sync pass at or past the position in its cursor', async () => {
    await until('all changes have a cursor', async () => (await syncAll(0)).size === ids.length);
    await service.servers.caughtUp();
    await service.servers.pause();
    try {
      const position = await service.score(9, 5);
      await until('the primary has it in sync', async () => (await syncAll(0, position)).get(ids[9]!) === 5);
      // The first page comes from the primary, so the others must not come from the replica, whichever process reads them.
      const seen = await syncAll(0, position, true);
      assert.equal(seen.get(ids[9]!), 5);
      assert.equal(seen.size, ids.length);
    } finally {
      await service.servers.resume();
    }
  });

  /** Reads a pass without sending the position again: from the second page on, only the cursor says it. */
  async function syncAll(first: number, position?: string, takesTurns = false) {
    const found = new Map<number, number>();
    let cursor = '';
    for (let page = 0; ; page += 1) {
      const api = takesTurns ? (first + page) % 2 : first;
      const reply = await service.get(api, `/v1/sync?limit=3&cursor=${cursor}`, page === 0 ? position : undefined);
      assert.equal(reply.status, 200);
      const body = (await reply.json()) as {
        events: ({ id: number } & Scored)[];
        next_cursor: string;
        has_more: boolean;
      };
      for (const { id, participants } of body.events) found.set(id, participants[0].score);
      cursor = body.next_cursor;
      if (!body.has_more) return found;
    }
  }
});
