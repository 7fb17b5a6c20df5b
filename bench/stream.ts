/**
 * Runs the benchmarks for the stream, the feed and the path between them. ONLY=name[,name] runs only the named ones;
 * `fanout` runs both fan-outs.
 */
import { loadavg } from 'node:os';
import { canPin } from './child.ts';
import { delay } from './stream/delay.ts';
import { fanout } from './stream/fanout.ts';
import { filters } from './stream/filters.ts';
import { idle } from './stream/idle.ts';
import { ingest } from './stream/ingest.ts';
import { latency } from './stream/latency.ts';
import { reconnect } from './stream/reconnect.ts';
import { stalled } from './stream/stalled.ts';
import { tls } from './stream/tls.ts';

const BENCHMARKS: Record<string, () => Promise<void>> = {
  latency,
  'fanout-sparse': () => fanout('sparse'),
  'fanout-dense': () => fanout('dense'),
  idle,
  stalled,
  reconnect,
  filters,
  delay,
  ingest,
  tls,
};

const names = Object.keys(BENCHMARKS);
const asked = process.env.ONLY?.split(',') ?? names;
const isOf = (name: string, one: string) => name === one || name.startsWith(`${one}-`);
const wanted = names.filter((name) => asked.some((one) => isOf(name, one)));
const unknown = asked.filter((one) => !names.some((name) => isOf(name, one)));
if (unknown.length > 0) {
  console.error(`ONLY: ${unknown} is none of ${names}`);
  process.exit(2);
}
if (!canPin) console.log('no taskset or one core: server and clients share what there is');
for (const name of wanted) {
  console.log(`# ${name}: load average ${loadavg()[0]!.toFixed(1)}, Node ${process.version}`);
  await BENCHMARKS[name]!();
}
