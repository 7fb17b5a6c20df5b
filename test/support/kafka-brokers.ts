/** A real Kafka with several brokers in different racks, on which consumers may fetch from the replica in their rack. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { fetchKafka, formatStorage, killBroker, launchBroker } from './kafka.ts';

/** Makes each broker log the requests that it has answered. */
const LOG_REQUESTS = ['-Dorg.slf4j.simpleLogger.log.kafka.request.logger=debug'];
const FETCHED = /"clientId":"touchline","requestApiKeyName":"FETCH".*"recordsSizeInBytes":(\d+)/;

export interface RackBroker {
  /** The broker's node id, which counts from 1. */
  id: number;
  rack: string;
  /** host:port */
  broker: string;
  /** Returns the bytes of records that the broker has sent to clients of ours. */
  bytesSent(): number;
  kill(): Promise<void>;
  start(): Promise<void>;
  pause(): void;
  resume(): void;
}

export interface RackBrokers {
  /** The brokers in the order of their racks. The first one is also the controller. */
  brokers: RackBroker[];
  stop(): Promise<void>;
}

const brokerProperties = (id: number, rack: string, port: number, controller: number, folder: string) => `
process.roles=${id === 1 ? 'broker,controller' : 'broker'}
node.id=${id}
broker.rack=${rack}
replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector
controller.quorum.voters=1@127.0.0.1:${controller}
listeners=PLAINTEXT://127.0.0.1:${port}${id === 1 ? `,CONTROLLER://127.0.0.1:${controller}` : ''}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
controller.listener.names=CONTROLLER
log.dirs=${folder}
default.replication.factor=3
min.insync.replicas=2
auto.create.topics.enable=false
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
`;

function makeBroker(id: number, rack: string, port: number, controller: number, folder: string): RackBroker {
  const properties = join(folder, `${id}.properties`);
  const log = join(folder, `${id}.log`);
  writeFileSync(properties, brokerProperties(id, rack, port, controller, join(folder, `${id}`)));
  formatStorage(properties);
  let child: ChildProcess | null = null;
  return {
    id,
    rack,
    broker: `127.0.0.1:${port}`,
    bytesSent() {
      const lines = readFileSync(log, 'utf8').split('\n');
      return lines.reduce((sum, line) => sum + Number(FETCHED.exec(line)?.[1] ?? 0), 0);
    },
    start: () =>
      launchBroker({ properties, log, port, options: LOG_REQUESTS }, (started) => {
        child = started;
      }),
    kill: () => killBroker(child),
    pause: () => void child!.kill('SIGSTOP'),
    resume: () => void child!.kill('SIGCONT'),
  };
}

/** Starts one broker in each of these racks. */
export async function startRackBrokers(racks: readonly string[]): Promise<RackBrokers> {
  fetchKafka();
  const folder = mkdtempSync(join(tmpdir(), 'touchline-kafka-racks-'));
  const [controller, ...ports] = (await freePorts(racks.length + 1)) as [number, ...number[]];
  const brokers = racks.map((rack, index) => makeBroker(index + 1, rack, ports[index]!, controller, folder));
  // Kills the brokers if the run is aborted.
  const atExit = () => {
    for (const broker of brokers) void broker.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', atExit);
  async function stop(): Promise<void> {
    await Promise.all(brokers.map((broker) => broker.kill()));
    process.off('exit', atExit);
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    await Promise.all(brokers.map((broker) => broker.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { brokers, stop };
}
