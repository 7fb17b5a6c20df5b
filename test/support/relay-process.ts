/** Relays as processes of their own. */
import { type Launched, type Launcher, launcher } from './launcher.ts';

export interface RelayOptions {
  /** Of Postgres. */
  url: string;
  kafka?: { brokers: readonly string[]; topic: string; requestTimeoutMs: number };
}

/** What a relay does to itself at a named step (see relay-child.ts). */
export interface Strike {
  point: string;
  /** The first, where it is absent. */
  nth?: number;
  signal: 'SIGKILL' | 'SIGSTOP';
  /** Not at once: what follows the step has begun by then. */
  afterMs?: number;
}

export type RelayProcess = Launched<Strike | null>;
export type RelayLauncher = Launcher<Strike | null>;

export const relayLauncher = (options: RelayOptions): RelayLauncher =>
  launcher({ name: 'relay-child', options, bundled: true });
