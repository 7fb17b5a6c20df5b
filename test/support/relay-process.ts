/** Relays as separate processes. */
import { type Launched, type Launcher, launcher } from './launcher.ts';

export interface RelayOptions {
  /** URL of Postgres. */
  url: string;
  kafka?: { brokers: readonly string[]; topic: string; requestTimeoutMs: number };
}

/** An action of a relay against itself at a named step (see relay-child.ts). */
export interface Strike {
  point: string;
  /** Number of the occurrence; the first if absent. */
  nth?: number;
  signal: 'SIGKILL' | 'SIGSTOP';
  /** Delay, after which the following step has begun. */
  afterMs?: number;
}

export type RelayProcess = Launched<Strike | null>;
export type RelayLauncher = Launcher<Strike | null>;

export const relayLauncher = (options: RelayOptions): RelayLauncher =>
  launcher({ name: 'relay-child', options, bundled: true });
