/**
 * Simulates many stream processes on one event log, to help size an installation: `make simulate-streams`. The costs were measured (see
 * `bench/README.md`). Time advances in ticks of the hub. In each tick, the partition leader sends new events to all processes, and each
 * process writes them to the clients that want them. The same seed gives the same figures.
 */
import { parseArgs } from 'node:util';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Time between two of the hub's writes. */
const TICK_S = 0.02;
/** CPU time for one write to a client, and for each additional event in the same write. */
const WRITE_S = 11.5e-6;
const FURTHER_EVENT_S = 3e-6;
/** CPU time for one resumed stream, which replays 500 events. */
const RESUME_S = 1.2e-3;
/** CPU time for reading one event from the log, even if no client wants it. */
const READ_S = 20e-6;
/** Memory for an idle stream, and for a process without streams. */
const STREAM_BYTES = 7e3;
const PROCESS_BYTES = 150e6;
/** Bytes that each event needs for each client on top of its data, for the fields of a server-sent event and chunk framing. */
const FRAME_BYTES = 40;
/** Time within which the clients of ended processes come back. */
const RETURN_S = 20;
/**
 * Costs of the nginx that terminates TLS in front of the service: CPU time for a write, for each additional event in a write, and for a
 * handshake; and memory for a connection.
 */
const ENTRY_WRITE_S = 15e-6;
const ENTRY_FURTHER_EVENT_S = 1e-6;
const HANDSHAKE_S = 0.6e-3;
const ENTRY_CONNECTION_BYTES = 42e3;
/** Statements that each process sends to Postgres per second: load reports, session renewals, and slot changes. */
const STATEMENTS = 0.2 + 0.2 + 1;
/** Postgres connections of an idle process: one for notices, and one for the liveness lock. */
const CONNECTIONS = 2;

export interface Scenario {
  pods: number;
  clientsPerPod: number;
  /** Average number of events from all matches in a second. */
  events: number;
  /** Number of live matches. A match's popularity falls as 1 / rank. */
  matches: number;
  /** Share of the clients that want every event. Each of the rest wants one match. */
  everything: number;
  /** An event's bytes in the log, compressed. */
  eventBytes: number;
  /** Bits that the partition leader can send per second. */
  linkBits: number;
  /** Share of the log that a process fetches. It is below 1 if the process fetches only the partitions that its clients want. */
  fetched: number;
  /** Share of the processes that end halfway through the simulation. */
  lost: number;
  /** Share of the clients of every process that reconnect halfway through, as after a network failure at the entry. */
  returning: number;
  seconds: number;
  seed: number;
}

export const DEFAULTS: Scenario = {
  pods: 1_000,
  clientsPerPod: 10_000,
  events: 200,
  matches: 400,
  everything: 0.01,
  eventBytes: 700,
  linkBits: 10e9,
  fetched: 1,
  lost: 0.01,
  returning: 0,
  seconds: 30,
  seed: 1,
};

export interface Figures {
  clients: number;
  deliveriesPerSecond: number;
  /** Bits that all processes together send to clients per second, before encryption: the mean, and the busiest second. */
  bitsOut: number;
  peakBitsOut: number;
  /** Cores that the entry needs in the busiest second, and its memory. */
  entryCores: number;
  entryGb: number;
  /** Share of the leader's link that is used. */
  link: number;
  /** CPU use as a share of one core: the mean over all processes, and the busiest second of any process. */
  meanCpu: number;
  peakCpu: number;
  /** Time from when an event is appended until a process has written it to all its clients, in ms, over all events and processes. */
  p50Ms: number;
  p99Ms: number;
  worstMs: number;
  memoryMb: number;
  statementsPerSecond: number;
  connections: number;
}

/** Draws from a Poisson distribution. For means above 30, the normal distribution approximates it. */
function poisson(mean: number, random: () => number): number {
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}

/** Draws from the standard normal distribution, by the Box–Muller transform. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Returns a function that draws an index with a probability proportional to its weight. */
function drawn(weights: Float64Array, random: () => number): () => number {
  const sums = new Float64Array(weights.length);
  let sum = 0;
  for (const [index, weight] of weights.entries()) sums[index] = sum += weight;
  return () => {
    const value = random() * sum;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > value) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** A histogram of latencies, with 20 classes for each factor of 10. */
class Latencies {
  readonly #classes = new Map<number, number>();
  #count = 0;
  worst = 0;

  add(seconds: number): void {
    const index = Math.ceil(Math.log10(Math.max(seconds, 1e-5)) * 20);
    this.#classes.set(index, (this.#classes.get(index) ?? 0) + 1);
    this.#count += 1;
    this.worst = Math.max(this.worst, seconds);
  }

  /** Returns the upper limit of the class that contains the quantile, in seconds. */
  quantile(share: number): number {
    let sum = 0;
    for (const [index, count] of [...this.#classes].sort(([a], [b]) => a - b)) {
      sum += count;
      if (sum >= share * this.#count) return Math.min(this.worst, 10 ** (index / 20));
    }
    return 0;
  }
}

/** The traffic from the processes to clients, and the load that it puts on the entry. */
class Traffic {
  readonly #bytesEach: number;
  #deliveries = 0;
  #bytes = 0;
  #secondBytes = 0;
  #secondCores = 0;
  #peakBytes = 0;
  #peakCores = 0;

  constructor(eventBytes: number) {
    this.#bytesEach = eventBytes + FRAME_BYTES;
  }

  nextSecond(): void {
    this.#peakBytes = Math.max(this.#peakBytes, this.#secondBytes);
    this.#peakCores = Math.max(this.#peakCores, this.#secondCores);
    this.#secondBytes = 0;
    this.#secondCores = 0;
  }

  /** Adds a number of writes, each with this many events. */
  add(writes: number, events: number): void {
    this.#deliveries += writes * events;
    this.#send(writes * events);
    this.#secondCores += writes * (ENTRY_WRITE_S + (events - 1) * ENTRY_FURTHER_EVENT_S);
  }

  /** Adds clients that reconnect. Each makes a handshake and receives this many missed events. */
  addResumed(clients: number, missed: number): void {
    this.#send(clients * missed);
    this.#secondCores += clients * (HANDSHAKE_S + ENTRY_WRITE_S + missed * ENTRY_FURTHER_EVENT_S);
  }

  #send(events: number): void {
    this.#bytes += events * this.#bytesEach;
    this.#secondBytes += events * this.#bytesEach;
  }

  figures(seconds: number): Pick<Figures, 'deliveriesPerSecond' | 'bitsOut' | 'peakBitsOut' | 'entryCores'> {
    this.nextSecond();
    return {
      deliveriesPerSecond: this.#deliveries / seconds,
      bitsOut: (this.#bytes * 8) / seconds,
      peakBitsOut: this.#peakBytes * 8,
      entryCores: this.#peakCores,
    };
  }
}

/** @throws {RangeError} for a number that makes no sense */
export function simulate(given: Partial<Scenario>): Figures {
  const scenario = { ...DEFAULTS, ...given };
  for (const [name, value] of Object.entries(scenario))
    if (!Number.isFinite(value) || value < 0) throw new RangeError(`${name}: ${value} is not a number from 0 on`);
  for (const name of ['pods', 'matches', 'seconds', 'linkBits'] as const)
    if (scenario[name] === 0) throw new RangeError(`${name}: must be more than 0`);
  return run(scenario);
}

function run({
  pods,
  clientsPerPod,
  events,
  matches,
  everything,
  eventBytes,
  linkBits,
  fetched,
  lost,
  returning,
  seconds,
  seed,
}: Scenario): Figures {
  const generator = xoroshiro128plus(seed);
  const random = () => uniformFloat64(generator);
  const popularity = Float64Array.from({ length: matches }, (_, rank) => 1 / (rank + 1));
  const total = popularity.reduce((sum, weight) => sum + weight, 0);
  // Every match has equally many events, but not equally many clients.
  const drawMatch = drawn(new Float64Array(matches).fill(1), random);
  const wantAll = clientsPerPod * everything;
  const wantOne = clientsPerPod - wantAll;
  const ticks = Math.round(seconds / TICK_S);
  const perSecond = Math.round(1 / TICK_S);
  const ended = Math.round(pods * lost);
  const free = new Float64Array(pods);
  const busySecond = new Float64Array(pods);
  const latencies = new Latencies();
  const traffic = new Traffic(eventBytes);
  // A client that reconnects has missed the events during its absence, which lasts half of RETURN_S on average.
  const missed = (events * (everything + (1 - everything) / matches) * RETURN_S) / 2;
  let linkFree = 0;
  let sentBits = 0;
  let busy = 0;
  let peak = 0;

  for (let tick = 0; tick < ticks; tick++) {
    const now = tick * TICK_S;
    if (tick % perSecond === 0) {
      busySecond.fill(0);
      traffic.nextSecond();
    }
    const isAfter = tick >= ticks / 2;
    const living = isAfter ? pods - ended : pods;
    const growth = pods / Math.max(1, living);
    const count = poisson(events * TICK_S, random);
    const inTick = Array.from({ length: count }, drawMatch);
    const bits = count * eventBytes * 8 * fetched * living;
    const sendingFrom = Math.max(linkFree, now);
    linkFree = sendingFrom + bits / linkBits;
    sentBits += bits;
    const resumes =
      isAfter && now < seconds / 2 + RETURN_S
        ? ((ended * clientsPerPod) / Math.max(1, living) + returning * clientsPerPod) * (TICK_S / RETURN_S)
        : 0;
    for (let pod = 0; pod < living; pod++) {
      const resumed = poisson(resumes, random);
      let work = count * fetched * READ_S + resumed * RESUME_S;
      traffic.addResumed(resumed, missed);
      let written = 0;
      if (count > 0) {
        work += wantAll * growth * (WRITE_S + (count - 1) * FURTHER_EVENT_S);
        traffic.add(wantAll * growth, count);
        written += wantAll * growth;
        for (const match of inTick) {
          const wanting = poisson((wantOne * growth * popularity[match]!) / total, random);
          work += wanting * WRITE_S;
          traffic.add(wanting, 1);
          written += wanting;
        }
      }
      if (work === 0) continue;
      // The leader serves the processes in random order.
      const arrival = sendingFrom + random() * (bits / linkBits);
      const done = Math.max(free[pod]!, arrival) + work;
      free[pod] = done;
      busy += work;
      busySecond[pod]! += work;
      peak = Math.max(peak, busySecond[pod]!);
      // On average an event waits half a tick before it is written.
      if (written > 0) latencies.add(done - now + TICK_S / 2);
    }
  }
  return {
    clients: pods * clientsPerPod,
    ...traffic.figures(seconds),
    entryGb: (pods * clientsPerPod * ENTRY_CONNECTION_BYTES) / 1e9,
    link: sentBits / seconds / linkBits,
    meanCpu: busy / seconds / pods,
    peakCpu: peak,
    p50Ms: latencies.quantile(0.5) * 1_000,
    p99Ms: latencies.quantile(0.99) * 1_000,
    worstMs: latencies.worst * 1_000,
    memoryMb: (PROCESS_BYTES + clientsPerPod * STREAM_BYTES) / 1e6,
    statementsPerSecond: pods * STATEMENTS,
    connections: pods * CONNECTIONS,
  };
}

/** The installations in docs/scaling.md. */
const SCENARIOS: readonly [name: string, given: Partial<Scenario>][] = [
  ['1 million clients', { pods: 100 }],
  ['1 million, 1,000 events/s', { pods: 100, events: 1_000 }],
  ['1 million, 1,500 events/s', { pods: 100, events: 1_500 }],
  ['1 million, 5 % want everything', { pods: 100, everything: 0.05 }],
  ['1 million, 5 %, 1,000 events/s', { pods: 100, everything: 0.05, events: 1_000 }],
  ['1 million, 10,000 updates/s', { pods: 100, matches: 20_000, events: 400 }],
  ['1 million on one match, 1 event/s', { pods: 100, matches: 1, events: 1 }],
  ['1 million on one match, 5 events/s', { pods: 100, matches: 1, events: 5 }],
  ['1 million return at once', { pods: 100, lost: 0, returning: 1, seconds: 60 }],
  ['10 million clients', {}],
  ['10 million, 1,000 events/s', { events: 1_000 }],
  ['10 million, 1,000 events/s, a tenth of the log', { events: 1_000, fetched: 0.1 }],
  ['10 million, 5 % want everything', { everything: 0.05 }],
  ['100 million, one region', { pods: 10_000, seconds: 10 }],
  ['100 million, a tenth of the log', { pods: 10_000, seconds: 10, fetched: 0.1 }],
];

const gigabits = (bits: number) => (bits / 1e9).toFixed(bits < 1e10 ? 1 : 0);

const COLUMNS: readonly [head: string, text: (figures: Figures) => string][] = [
  ['deliveries/s', ({ deliveriesPerSecond }) => Math.round(deliveriesPerSecond).toLocaleString('en')],
  ['Gbit/s out (busiest)', ({ bitsOut, peakBitsOut }) => `${gigabits(bitsOut)} (${gigabits(peakBitsOut)})`],
  ['Mbit/s a pod', ({ bitsOut, clients }) => ((bitsOut / 1e6 / clients) * DEFAULTS.clientsPerPod).toFixed(0)],
  ['entry', ({ entryCores, entryGb }) => `${entryCores.toFixed(0)} cores, ${entryGb.toFixed(0)} GB`],
  ['link', ({ link }) => `${(link * 100).toFixed(0)} %`],
  ['CPU', ({ meanCpu }) => `${(meanCpu * 100).toFixed(0)} %`],
  ['busiest second', ({ peakCpu }) => `${(peakCpu * 100).toFixed(0)} %`],
  ['p50', ({ p50Ms }) => `${p50Ms.toFixed(0)} ms`],
  ['p99', ({ p99Ms }) => `${p99Ms.toFixed(0)} ms`],
  ['worst', ({ worstMs }) => `${worstMs.toFixed(0)} ms`],
  ['memory', ({ memoryMb }) => `${memoryMb.toFixed(0)} MB`],
  [
    'Postgres',
    ({ statementsPerSecond, connections }) => `${statementsPerSecond.toFixed(0)}/s, ${connections} connections`,
  ],
];

function main(): void {
  const options = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ options });
  const given: Partial<Scenario> = Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, Number(text)]),
  );
  const scenarios: typeof SCENARIOS = Object.keys(given).length > 0 ? [['as given', given]] : SCENARIOS;
  const rows = scenarios.map(([name, one]) => {
    const figures = simulate(one);
    return [name, ...COLUMNS.map(([, text]) => text(figures))];
  });
  const table = [['', ...COLUMNS.map(([head]) => head)], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  try {
    main();
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
