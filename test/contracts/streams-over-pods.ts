/** What several stream processes guarantee to clients, with any proxy in between. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { openStream, type StreamEvent, type StreamHandle } from '../../src/client/stream.ts';
import type { SocketConstructor } from '../../src/client/stream-connection.ts';
import type { Cluster } from '../support/cluster.ts';
import { FEED_TOKEN } from '../support/http.ts';
import { liveMatches } from '../support/live-matches.ts';
import { eventSource, type Source } from '../support/stream-client.ts';
import { until } from '../support/until.ts';

const MATCHES = 7;
/** Time within which all clients have to receive all events after the last cut. */
const PATIENCE_MS = 60_000;

/** Longer than the caches that live only briefly. */
const OUTAGE_MS = 2_000;

/** Plays matches through the feed. Every update adds a goal. */
export function playing(url: string, name: string) {
  let round = 0;
  const body = () => {
    round += 1;
    return liveMatches(name, MATCHES, round);
  };
  return {
    body,
    async tell(): Promise<void> {
      const reply = await fetch(`${url}/feed/v1/updates`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body()),
      });
      assert.equal(reply.status, 200);
      assert.equal(((await reply.json()) as { accepted: number }).accepted, MATCHES);
    },
  };
}

interface Follower {
  name: string;
  /** Envelopes in order of arrival. */
  events: { id: string; data: { sequence: number; match: { id: number } } }[];
  isLive(): boolean;
  close(): Promise<unknown> | undefined;
}

/** Starts our client, which never loses an event. */
function ourClient({ url, key }: Cluster, transport: 'sse' | 'websocket', name: string): Follower {
  const events: StreamEvent[] = [];
  let live = false;
  const handle: StreamHandle = openStream({
    url,
    key,
    transport,
    WebSocket: WebSocket as unknown as SocketConstructor,
    onEvent: (event) => void events.push(event),
    onState: ({ phase }) => {
      live ||= phase === 'live';
    },
  });
  return {
    name,
    events,
    isLive: () => live,
    close() {
      handle.close();
      return handle.done;
    },
  };
}

/** Starts a client that behaves as a browser's EventSource does. */
function browser({ url, key }: Cluster, name: string): Follower & { source: Source } {
  const source = eventSource(`${url}/v1/stream?key=${key}`, { hurry: 10 });
  return {
    name,
    source,
    get events() {
      return source.events.map(({ data }) => JSON.parse(data));
    },
    isLive: () => source.lastEventId !== '',
    close() {
      source.close();
      return undefined;
    },
  };
}

export function streamsOverPods(open: () => Promise<Cluster>): void {
  let cluster: Cluster;
  const followers: Follower[] = [];
  before(async () => {
    cluster = await open();
  });
  afterEach(async () => {
    await Promise.all(followers.splice(0).map((follower) => follower.close()));
  });
  after(() => cluster?.close());

  async function follow(): Promise<void> {
    for (let i = 0; i < 3; i += 1) {
      followers.push(ourClient(cluster, 'sse', `our client over SSE ${i}`));
      followers.push(ourClient(cluster, 'websocket', `our client over a WebSocket ${i}`));
      followers.push(browser(cluster, `browser ${i}`));
    }
    await until('all are live', () => followers.every((one) => one.isLive()), PATIENCE_MS);
  }

  /**
   * Checks that all clients have each match's events from the first number to the last, once each, in the same order.
   */
  async function checkAll(name: string): Promise<number> {
    const { rows } = await cluster.pool.query<{ id: number; sequence: number }>(
      `SELECT m.id, m.sequence FROM match m JOIN tournament t ON t.id = m.tournament_id WHERE t.name = $1`,
      [`League of ${name}`],
    );
    const expected = rows.reduce((sum, { sequence }) => sum + sequence, 0);
    const have = () => followers.map((one) => `${one.name}: ${one.events.length}`).join(', ');
    await until(
      `all have ${expected} events; ${have()}`,
      () => followers.every(({ events }) => events.length >= expected),
      PATIENCE_MS,
    ).catch((error: Error) => {
      throw new Error(`${error.message}; now ${have()}`);
    });
    // Waits, since a repeated event may come late.
    await sleep(200);
    const ids = followers[0]!.events.map(({ id }) => id);
    for (const follower of followers) {
      for (const { id, sequence } of rows) {
        const got = follower.events.filter(({ data }) => data.match.id === id).map(({ data }) => data.sequence);
        const whole = Array.from({ length: sequence }, (_, i) => i + 1);
        assert.deepEqual(got, whole, `${follower.name}, match ${id}`);
      }
      assert.deepEqual(
        follower.events.map(({ id }) => id),
        ids,
        follower.name,
      );
    }
    return expected;
  }

  it('move between processes with a cursor and miss no event, even if connections are cut every second and pods are killed, stopped or started', async () => {
    await follow();
    const { tell } = playing(cluster.ingest.url, 'goals');
    let publishing = true;
    const published = (async () => {
      for (; publishing; await sleep(20)) await tell();
    })();
    let cuts = 0;
    const kick = setInterval(() => {
      cluster.line.cut();
      cuts += 1;
    }, 1_000);
    try {
      const late = cluster.startStream(cluster.streams.length - 1);
      await until('it has been cut', () => cuts >= 1);
      await cluster.streams[0]!.kill();
      await late;
      const stopped = await cluster.streams[1]!.stop();
      assert.equal(stopped.code, 0);
      await cluster.startStream(0);
      await until('it has been cut often', () => cuts >= 5, PATIENCE_MS);
    } finally {
      clearInterval(kick);
      publishing = false;
      await published;
    }
    const events = await checkAll('goals');
    assert.ok(events > 20 * MATCHES, `${events} events`);
  });

  it('stay ready during an outage of the shared stores, keep all connections, and continue afterwards', async () => {
    const running = cluster.streams.filter((pod) => pod !== undefined && pod.started.child.exitCode === null);
    assert.ok(running.length >= 2);
    const ready = () =>
      Promise.all(running.map(async (pod) => (await fetch(`${pod!.adminUrl}/readyz`)).status === 200));
    await follow();
    const { tell } = playing(cluster.ingest.url, 'outage');
    await tell();
    const connections = cluster.line.connections();
    await Promise.all(cluster.shared.map((store) => store.down()));
    await sleep(OUTAGE_MS);
    assert.deepEqual(
      await ready(),
      running.map(() => true),
    );
    await Promise.all(cluster.shared.map((store) => store.up()));
    await until(
      'the feed takes updates again',
      () =>
        tell().then(
          () => true,
          () => false,
        ),
      PATIENCE_MS,
    );
    await checkAll('outage');
    assert.equal(cluster.line.connections(), connections);
  });
}
