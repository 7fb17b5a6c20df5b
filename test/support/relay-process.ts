/** Starts relays as separate processes. */
import { type Launched, type Launcher, launcher } from './launcher.ts';

export interface RelayOptions {
  /** Postgres URL. */
  url: string;
  kafka?: { brokers: readonly string[]; topic: string; requestTimeoutMs: number };
}

/** What a relay does to itself at a named step (see relay-child.ts). */
export interface Strike {
  point: string;
  /** Which occurrence of the step; by default the first. */
  nth?: number;
  signal: 'SIGKILL' | 'SIGSTOP';
  /** Delay in ms. The next step has begun by then. */
  afterMs?: number;
}

export type RelayProcess = Launched<Strike | null>;
export type RelayLauncher = Launcher<Strike | null>;

export const relayLauncher = (options: RelayOptions): RelayLauncher =>
  launcher({ name: 'relay-child', options, bundled: true });
