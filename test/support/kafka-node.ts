/** `make kafka` and `make kafka-stop`: a Kafka node that keeps running after the command has ended. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KAFKA_CACHE, startKafka } from './kafka.ts';

interface State {
  pid: number;
  broker: string;
  folder: string;
}

const STATE = join(KAFKA_CACHE, 'running.json');

function running(): State | null {
  if (!existsSync(STATE)) return null;
  const state = JSON.parse(readFileSync(STATE, 'utf8')) as State;
  try {
    process.kill(state.pid, 0);
    // By now, a different process may have the pid.
    if (existsSync('/proc') && !readFileSync(`/proc/${state.pid}/cmdline`, 'utf8').includes(state.folder)) return null;
    return state;
  } catch {
    return null;
  }
}

const say = (broker: string) =>
  console.log(`KAFKA_BROKERS=${broker}\nRun the service on it: make run KAFKA_BROKERS=${broker}`);

async function start(): Promise<void> {
  if (process.env.KAFKA_BROKERS) {
    say(process.env.KAFKA_BROKERS);
    return;
  }
  const state = running();
  if (state !== null) {
    say(state.broker);
    return;
  }
  const kafka = await startKafka({ port: Number(process.env.KAFKA_PORT ?? 0), detached: true });
  writeFileSync(STATE, JSON.stringify({ pid: kafka.pid(), broker: kafka.broker, folder: kafka.folder }));
  say(kafka.broker);
}

async function stop(): Promise<void> {
  const state = running();
  if (state === null) {
    console.log('No Kafka of `make kafka` is running');
    return;
  }
  process.kill(state.pid, 'SIGKILL');
  while (running() !== null) await new Promise((resolve) => setTimeout(resolve, 50));
  rmSync(state.folder, { recursive: true, force: true });
  rmSync(STATE);
  console.log('Kafka is stopped');
}

await (process.argv[2] === 'stop' ? stop() : start());
