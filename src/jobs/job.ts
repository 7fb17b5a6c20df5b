/** The type for jobs. A job is a value, like a role or a route. The role `jobs` runs the list in jobs.ts. */
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { ConfigOf, Variables } from '../config/variable.ts';
import type { OpeningClickHouse } from '../db/clickhouse.ts';
import { createLease, type Lease } from '../db/lease.ts';
import type { LivenessLock } from '../db/liveness-lock.ts';
import type { Deps } from '../deps.ts';
import type { SourceMetrics } from '../sources/index.ts';
import type { Schedule } from './schedule.ts';

/** A job's dependencies. */
export interface JobContext<V extends Variables = Variables> extends Omit<Deps, 'config'> {
  config: Config & ConfigOf<V>;
  registry: Registry;
  sources: SourceMetrics;
  clickhouse: OpeningClickHouse;
  /** Shows that this process is still running. If absent, a standby process takes over only after the lease has expired. */
  livenessLock?: LivenessLock;
}

/** The result of a run. */
export interface Run {
  /** `idle` means that there was nothing to do. */
  result: 'done' | 'idle';
  /** Milliseconds until the next run, by default the schedule's interval. */
  pauseMs?: number;
}

/** A running job in the process that holds the lease. It ends with the lease, and so does its state in memory. */
export interface LeadingJob {
  /**
   * Does one run. Two runs never overlap. A run may be stopped at any point, and is then repeated.
   * @param signal aborted when the process stops, the lease is lost or `limitMs` has passed
   * @throws {LeaseLost} if another process has taken the lease
   */
  run(signal: AbortSignal): Promise<Run>;
  /** Closes what the job keeps open between runs. Called when the process stops or the lease is lost. */
  end?(): void;
}

export interface JobDefinition<V extends Variables> {
  /** The name. It is the label in metrics, and identifies the row in the table `job`. */
  name: string;
  /** What the job does, in a few words. */
  summary: string;
  /** Environment variables that the job reads, in addition to the common ones. */
  variables: V;
  /** The process that holds this lease runs the job. */
  lease: Lease;
  schedule: Schedule;
  /** Milliseconds between a failed run and the next one. */
  retryMs: number;
  /** Maximum duration of a run, in milliseconds. A longer run is aborted, and the lease is no longer renewed. */
  limitMs: number;
  /** Log message when runs begin to fail. */
  failed: string;
  /** Log message when a run succeeds again. */
  recovered: string;
  /**
   * Prepares the job when the process starts.
   * @returns a function that begins the job once this process has taken the lease; null if the configuration turns the job off
   */
  open(context: JobContext<V>): ((generation: number) => LeadingJob) | null;
}

/** A job in the job list. */
export type Job = JobDefinition<Variables>;

/** Defines a job. The type of the configuration for `open` follows from `variables`. */
export const defineJob = <const V extends Variables>(definition: JobDefinition<V>): Job => definition;

/** A job loses its lease after this many seconds without a renewal. */
const LEASE_SECONDS = 30;

/** Creates a job's lease, which is stored in the job's row of the table `job`. */
export const jobLease = (name: string): Lease => createLease('job', LEASE_SECONDS, name);
