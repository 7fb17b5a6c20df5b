/**
 * A real Kafka with one KRaft node, downloaded from Maven's repository into a cache outside this repository. With
 * `KAFKA_BROKERS`, a Kafka that already runs is used.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { type KafkaListeners, kafkaListeners } from './kafka-listeners.ts';
import { fetchLibraries, hasMaven } from './maven.ts';
import { sharedServer } from './shared-server.ts';

const KAFKA_VERSION = '4.1.0';
export const KAFKA_CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'touchline', 'kafka');
const LIBS = join(KAFKA_CACHE, `libs-${KAFKA_VERSION}`);
const START_MS = 60_000;
/** Time after which the last of the broker's threads has stopped. */
const PAUSED_MS = 100;

export interface Kafka {
  /** host:port */
  broker: string;
  /** Port of a second listener, which the broker advertises as `proxied`. */
  behind: number;
  proxied: string;
  /** The secured listeners; null if Kafka was started without them. */
  secured: KafkaListeners | null;
  folder: string;
  pid(): number;
  /** Kills the broker, as a power failure does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Pauses the broker in the middle of what it does. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
}

export const canRunKafka = (): boolean =>
  spawnSync('java', ['-version']).status === 0 && (existsSync(LIBS) || hasMaven());

/** Downloads Kafka, unless it is there. */
export const fetchKafka = (): void =>
  fetchLibraries(LIBS, [`org.apache.kafka:kafka_2.13:${KAFKA_VERSION}`, 'org.slf4j:slf4j-simple:1.7.36']);

const answers = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

const java = (heap: string, ...args: string[]) => [
  `-Xmx${heap}`,
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-cp',
  join(LIBS, '*'),
  ...args,
];

/**
 * @param port the broker's port; 0 for a free one
 * @param host an address of this machine, by which clients reach the broker
 * @param secured opens further listeners with TLS, certificates or users
 */
export async function startKafka({
  host = '127.0.0.1',
  port = 0,
  detached = false,
  secured: isSecured = false,
} = {}): Promise<Kafka> {
  fetchKafka();
  const folder = mkdtempSync(join(tmpdir(), 'touchline-kafka-'));
  const [free, behind, proxy, controller] = (await freePorts(4)) as [number, number, number, number];
  const own = port || free;
  const secured = isSecured ? await kafkaListeners(host, folder) : null;
  const [listeners, protocols] = [secured?.listeners ?? [], secured?.protocols ?? []];
  const properties = join(folder, 'server.properties');
  writeFileSync(
    properties,
    `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controller}
listeners=${[`PLAINTEXT://${host}:${own},PROXIED://127.0.0.1:${behind},CONTROLLER://127.0.0.1:${controller}`, ...listeners]}
advertised.listeners=${[`PLAINTEXT://${host}:${own},PROXIED://127.0.0.1:${proxy}`, ...listeners]}
listener.security.protocol.map=${['PLAINTEXT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT', ...protocols]}
inter.broker.listener.name=PLAINTEXT
controller.listener.names=CONTROLLER
log.dirs=${join(folder, 'data')}
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
auto.create.topics.enable=false
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
${(secured?.properties ?? []).join('\n')}
`,
  );
  const tool = ['kafka.tools.StorageTool', 'format', '-t', 'dG91Y2hsaW5lLWthZmthMQ', '-c', properties];
  const format = spawnSync('java', java('128m', ...tool, ...(secured?.format ?? [])), { encoding: 'utf8' });
  if (format.status !== 0) throw new Error(`Kafka's storage could not be formatted: ${format.stdout}${format.stderr}`);
  const log = join(folder, 'kafka.log');
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const out = openSync(log, 'a');
    const started = spawn('java', java('512m', 'kafka.Kafka', properties), { stdio: ['ignore', out, out], detached });
    closeSync(out);
    child = started;
    for (const end = Date.now() + START_MS; ; ) {
      if (await answers(host, own)) return;
      if (started.exitCode !== null || Date.now() > end) {
        await kill();
        throw new Error(`Kafka did not start: ${readFileSync(log, 'utf8').slice(-2_000)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  async function kill(): Promise<void> {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await gone;
  }
  // Kills the broker if the run is aborted.
  const atExit = () => {
    child?.kill('SIGKILL');
    secured?.authority.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  if (!detached) process.once('exit', atExit);
  await start();
  if (detached) child!.unref();
  return {
    broker: `${host}:${own}`,
    behind,
    proxied: `127.0.0.1:${proxy}`,
    secured,
    folder,
    pid: () => child!.pid!,
    kill,
    start,
    async pause() {
      child!.kill('SIGSTOP');
      const state = () => readFileSync(`/proc/${child!.pid}/stat`, 'utf8').replace(/^.*\) /, '')[0];
      while (existsSync('/proc/self/stat') && state() !== 'T') await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, PAUSED_MS));
    },
    resume: () => void child?.kill('SIGCONT'),
    async stop() {
      child?.kill('SIGCONT');
      await kill();
      process.off('exit', atExit);
      secured?.authority.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One Kafka for the whole test run, which stops at the end of the run. */
export const { get: sharedKafka, stop: stopSharedKafka } = sharedServer(() => startKafka({ secured: true }));
