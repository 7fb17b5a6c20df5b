/** A real MQTT broker, Debian's mosquitto, with a user. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { until } from './until.ts';

export const MQTT_USER = 'touchline';
export const MQTT_PASSWORD = 'a password: %@$=1';
const find = (name: string) => [name, `/usr/sbin/${name}`].find((path) => spawnSync(path, ['-h']).error === undefined);
const PROGRAM = find('mosquitto');
const PASSWORDS = find('mosquitto_passwd');
export const canRunMosquitto = (): boolean => PROGRAM !== undefined && PASSWORDS !== undefined;
const PATIENCE_MS = 20_000;
/** Number of attempts. A different program may take a port that was free a moment ago. */
const TRIES = 3;

export interface Mosquitto {
  port: number;
  /** Ends the broker as a crash does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** @param settings additional lines for the configuration */
export async function startMosquitto(settings: readonly string[] = []): Promise<Mosquitto> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnce(settings);
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

async function startOnce(settings: readonly string[]): Promise<Mosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-mosquitto-'));
  chmodSync(folder, 0o755);
  const [port] = (await freePorts(1)) as [number];
  const passwords = join(folder, 'passwords');
  spawnSync(PASSWORDS!, ['-b', '-c', passwords, MQTT_USER, MQTT_PASSWORD]);
  chmodSync(passwords, 0o644);
  const file = join(folder, 'mosquitto.conf');
  writeFileSync(
    file,
    [`listener ${port} 127.0.0.1`, 'allow_anonymous false', `password_file ${passwords}`, ...settings, ''].join('\n'),
  );
  let child: ChildProcess | null = null;
  async function start(): Promise<void> {
    child = spawn(PROGRAM!, ['-c', file], { stdio: 'ignore' });
    const started = child;
    await until('mosquitto answers', () => started.exitCode !== null || answers(port), PATIENCE_MS);
    if (started.exitCode !== null) throw new Error(`mosquitto ended with ${started.exitCode}`);
  }
  async function kill(): Promise<void> {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await gone;
  }
  const atExit = () => child?.kill('SIGKILL');
  process.once('exit', atExit);
  await start();
  return {
    port,
    kill,
    start,
    async stop() {
      await kill();
      process.off('exit', atExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
