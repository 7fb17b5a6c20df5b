/**
 * A real Kafka with one KRaft node, downloaded from Maven's repository into a cache outside this repository. With
 * `KAFKA_BROKERS`, a Kafka that already runs is used.
 */
import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
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

/** Formats a broker's storage. @param more further arguments of Kafka's StorageTool */
export function formatStorage(properties: string, more: readonly string[] = []): void {
  const tool = ['kafka.tools.StorageTool', 'format', '-t', 'dG91Y2hsaW5lLWthZmthMQ', '-c', properties];
  const { status, stdout, stderr } = spawnSync('java', java('128m', ...tool, ...more), { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Kafka's storage could not be formatted: ${stdout}${stderr}`);
}

interface Launch {
  properties: string;
  /** The file to which the broker writes its log. */
  log: string;
  host?: string;
  port: number;
  detached?: boolean;
  /** Options for Java. */
  options?: readonly string[];
}

/** Starts a broker. Resolves when its port is open. @param onStarted called at once with the process */
export async function launchBroker(
  { properties, log, host = '127.0.0.1', port, detached = false, options = [] }: Launch,
  onStarted: (child: ChildProcess) => void,
): Promise<void> {
  const out = openSync(log, 'a');
  const stdio: StdioOptions = ['ignore', out, out];
  const child = spawn('java', [...options, ...java('512m', 'kafka.Kafka', properties)], { stdio, detached });
  closeSync(out);
  onStarted(child);
  for (const end = Date.now() + START_MS; ; ) {
    if (await answers(host, port)) return;
    if (child.exitCode !== null || Date.now() > end) {
      await killBroker(child);
      throw new Error(`Kafka did not start: ${readFileSync(log, 'utf8').slice(-2_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function killBroker(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

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
  formatStorage(properties, secured?.format);
  const log = join(folder, 'kafka.log');
  let child: ChildProcess | null = null;

  const start = () =>
    launchBroker({ properties, log, host, port: own, detached }, (started) => {
      child = started;
    });
  const kill = () => killBroker(child);
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
