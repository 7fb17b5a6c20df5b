import assert from 'node:assert/strict';
import { eventWriter } from '../support/events.ts';
import { openPostgresProxy, type PostgresProxy } from '../support/postgres-proxy.ts';
import { type Service, startService } from '../support/service.ts';
import { openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { openWebSocket } from '../support/websocket-client.ts';

describe('stream metrics', () => {
  let service: Service;
  let proxy: PostgresProxy;
  before(async () => {
    service = await startService({
      admission: { ttlMs: 2_000, renewalMs: 200 },
      databaseUrl: async (url) => {
        proxy = await openPostgresProxy(url);
        return proxy.url;
      },
    });
  });
  after(async () => {
    await service.close();
    await proxy.close();
  });

  /** Returns a series' value as `/metrics` writes it; null if the series is missing. */
  async function value(series: string): Promise<number | null> {
    const line = (await service.registry.metrics()).split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length + 1).replace('Nan', 'NaN'));
  }
  const become = (series: string, expected: number) =>
    until(`${series} is ${expected}`, async () => (await value(series)) === expected);
  const url = (path: string) => `${service.app.url}${path}?key=${service.app.key}`;

  it('count connections, deliveries, events examined for a resume, refusals and ends', async () => {
    await service.publish({}, { sport: 'tennis' });
    await become('touchline_relay_appended_total', 2);
    const sse = await openStream(url('/v1/stream'), { 'Last-Event-ID': '0' });
    const sockets = [openWebSocket(url('/v1/stream/ws')), openWebSocket(`${url('/v1/stream/ws')}&sport=tennis`)];
    await sse.until('id: 2\n');
    for (const socket of sockets) await socket.next('connected');
    await become('touchline_stream_connections{protocol="sse"}', 1);
    await become('touchline_stream_connections{protocol="websocket"}', 2);
    assert.equal(await value('touchline_stream_examined_events_sum{channel="resume"}'), 2);

    await service.publish({}, {}, { sport: 'tennis' });
    await sse.until('id: 5\n');
    await sockets[1]!.next('match.goal');
    // The SSE client got two missed events and three live ones. The WebSocket clients got three and one.
    await become('touchline_stream_deliveries_total{protocol="sse"}', 5);
    await become('touchline_stream_deliveries_total{protocol="websocket"}', 4);

    // Counts each event that came while streams were open, only once.
    await become('touchline_stream_event_age_seconds_count', 3);
    const within = await value('touchline_stream_event_age_seconds_bucket{le="10"}');
    assert.equal(within, 3);

    await service.app.ask('/v1/stream/replay?since=2&sport=tennis');
    assert.equal(await value('touchline_stream_examined_events_sum{channel="replay"}'), 3);
    sockets[0]!.say({ type: 'replay', since: 4 });
    await sockets[0]!.next('replay');
    assert.equal(await value('touchline_stream_examined_events_sum{channel="replay"}'), 4);
    assert.equal(await value('touchline_stream_examined_events_count{channel="replay"}'), 2);

    const more = [openWebSocket(url('/v1/stream/ws')), openWebSocket(url('/v1/stream/ws'))];
    for (const socket of more) await socket.next('connected');
    assert.equal((await service.app.ask('/v1/stream')).status, 429);
    assert.equal(await value('touchline_stream_refused_total{code="too_many_connections"}'), 1);

    sse.close();
    await become('touchline_stream_ended_total{protocol="sse",cause="gone"}', 1);
    sockets[0]!.ws.close();
    await become('touchline_stream_ended_total{protocol="websocket",cause="gone"}', 1);
    service.clock.advance(61 * 60_000);
    await become('touchline_stream_ended_total{protocol="websocket",cause="cycle"}', 3);
    await become('touchline_stream_connections{protocol="websocket"}', 0);
  });

  it('count slow readers that were dropped', async () => {
    const slow = await openStream(url('/v1/stream'));
    await slow.until('connected');
    slow.pause();
    const large = { name: 'x'.repeat(50_000) };
    // More data than the kernel's buffers can hold.
    for (let i = 0; i < 20; i += 1) await service.publish(...Array.from({ length: 10 }, () => large));
    service.clock.advance(30_000);
    await become('touchline_stream_ended_total{protocol="sse",cause="stalled"}', 1);
    slow.close();
  });

  it('report the age of the oldest event not yet in the log and the ring’s lag, even if Postgres is unavailable', async () => {
    assert.equal(await value('touchline_relay_outbox_age_seconds'), 0);
    await become('touchline_stream_ring_lag_events', 0);
    await service.db.pool.query('UPDATE relay SET last_offset = last_offset + 7');
    assert.equal(await value('touchline_stream_ring_lag_events'), 7);
    assert.deepEqual([await value('touchline_stream_log_up'), await value('touchline_relay_has_leader')], [1, 1]);
    // A different relay holds the lease, and does nothing.
    await service.db.pool.query(
      "UPDATE relay SET generation = generation + 1, expires_at = now() + interval '1 hour', holder = 'another'",
    );
    await eventWriter().write(service.db.pool, [{}]);
    await service.db.pool.query("UPDATE outbox SET created_at = now() - interval '90 s'");
    const age = await value('touchline_relay_outbox_age_seconds');
    assert.ok(age !== null && age >= 90 && age < 200, `${age} s`);

    await proxy.down();
    assert.equal(await value('touchline_relay_outbox_age_seconds'), Number.NaN);
    assert.equal(await value('touchline_relay_has_leader'), Number.NaN);
    // The metric keeps the last known value, because a value that is not a number could not be compared with a limit.
    assert.equal(await value('touchline_stream_ring_lag_events'), 7);
    assert.equal(await value('touchline_stream_log_up'), 0);
    assert.ok((await value('touchline_stream_deliveries_total{protocol="websocket"}'))! > 0);
    await become('touchline_stream_slots_local', 1);
    await proxy.up();
    await become('touchline_stream_log_up', 1);
    await become('touchline_stream_slots_local', 0);
  });

  it('count streams that ended because of a drain', async () => {
    const socket = openWebSocket(url('/v1/stream/ws'));
    await socket.next('connected');
    const closed = service.deps.hub.close(10_000);
    service.clock.advance(10_000);
    await closed;
    assert.equal(await value('touchline_stream_ended_total{protocol="websocket",cause="drain"}'), 1);
  });
});
