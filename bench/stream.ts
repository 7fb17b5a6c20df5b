/** Benchmarks of the stream, the feed and what lies between. ONLY=name[,name] runs some of them. */
import { loadavg } from 'node:os';
import { pinSelf } from './stream/child.ts';
import { fanout } from './stream/fanout.ts';
import { filters } from './stream/filters.ts';
import { idle } from './stream/idle.ts';
import { ingest } from './stream/ingest.ts';
import { reconnect } from './stream/reconnect.ts';
import { stalled } from './stream/stalled.ts';

const BENCHMARKS: Record<string, () => Promise<void>> = { fanout, idle, stalled, reconnect, filters, ingest };

const wanted = (process.env.ONLY ?? Object.keys(BENCHMARKS).join()).split(',');
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  console.error(`ONLY: ${unknown} is none of ${Object.keys(BENCHMARKS)}`);
  process.exit(2);
}
pinSelf();
for (const name of wanted) {
  console.log(`# ${name}: load average ${loadavg()[0]!.toFixed(1)}, Node ${process.version}`);
  await BENCHMARKS[name]!();
}
