/** Measures the server's memory per idle connection. For comparison, plain Node sockets and Nchan are measured too. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, SERVER_CORE, startChild } from '../child.ts';
import { line, verdict } from '../report.ts';
import type { BoundApi } from './bound.ts';
import { type Protocol, startClients } from './clients.ts';
import { startNchan } from './nchan.ts';
import type { ServiceApi } from './service.ts';
import { openStage } from './stage.ts';

const CONNECTIONS = 10_000;
/** Connections that warm up code and pools. They are opened first and are not counted. */
const FIRST = 200;
const SETTLE_MS = 2_000;
/** Goals from the project's issue. */
const GOAL_KB: Record<Protocol, number> = { sse: 12, ws: 7 };
const PATHS: Record<Protocol, string> = { sse: '/v1/stream', ws: '/v1/stream/ws' };

interface Memory {
  rss: number;
  heap: number;
}

interface Opening {
  protocol: Protocol;
  port: number;
  path: string;
  keys: string[];
}

/** @returns KB per connection */
async function measure({ path, ...opening }: Opening, memory: () => Promise<Memory>): Promise<Memory> {
  const clients = startClients();
  try {
    await clients.open({ ...opening, paths: [path], count: FIRST });
    await sleep(SETTLE_MS);
    const before = await memory();
    const { keys } = opening;
    // Each key has a fixed number of slots. The first keys' slots are already taken, so these keys come last.
    const rest = keys.length === 0 ? keys : [...keys.slice(FIRST), ...keys.slice(0, FIRST)];
    await clients.open({ ...opening, keys: rest, paths: [path], count: CONNECTIONS - FIRST });
    await sleep(SETTLE_MS);
    const after = await memory();
    const { ended } = await clients.results();
    if (ended > 0) throw new Error(`${ended} connections have ended`);
    const each = (kind: keyof Memory) => (after[kind] - before[kind]) / (CONNECTIONS - FIRST) / 1024;
    return { rss: each('rss'), heap: each('heap') };
  } finally {
    await clients.kill();
  }
}

const opened = (service: Child<ServiceApi>) => service.call('connections');

export async function idle(): Promise<void> {
  const stage = await openStage();
  const keys = await stage.keys(CONNECTIONS);
  try {
    for (const protocol of ['ws', 'sse'] as const) {
      // Each protocol is measured in its own process, because freed memory is not always returned.
      const service = await stage.startStream();
      const ours = await measure({ protocol, port: await service.call('port'), path: PATHS[protocol], keys }, () =>
        service.call('memory'),
      );
      while ((await opened(service)) > 0) await sleep(100);
      await service.kill();
      const bound = startChild<BoundApi>('stream/bound.ts', SERVER_CORE);
      const plain = await measure({ protocol, port: await bound.call('port'), path: '/', keys: [] }, () =>
        bound.call('memory'),
      );
      await bound.kill();
      const nchan = await startNchan();
      const theirs =
        nchan === null
          ? null
          : await measure({ protocol, port: nchan.port, path: nchan.paths[protocol], keys: [] }, async () => ({
              rss: nchan.rss(),
              heap: 0,
            }));
      await nchan?.stop();
      line(
        `idle ${protocol}`,
        `${ours.rss.toFixed(1)} KB a connection (${ours.heap.toFixed(1)} of them heap)`,
        `goal ${GOAL_KB[protocol]} KB ${verdict(ours.rss <= GOAL_KB[protocol])}`,
        `plain sockets ${plain.rss.toFixed(1)} KB (heap ${plain.heap.toFixed(1)})`,
        theirs === null ? 'NCHAN NOT MEASURED' : `Nchan ${theirs.rss.toFixed(1)} KB`,
      );
    }
  } finally {
    await stage.close();
  }
}
