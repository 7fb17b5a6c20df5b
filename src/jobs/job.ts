/** A job is a value, as a role and a route are: the role `jobs` runs the list in jobs.ts without knowing any of them. */
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { ConfigOf, Variables } from '../config/variable.ts';
import { createLease, type Lease } from '../db/lease.ts';
import type { Deps } from '../deps.ts';
import type { Schedule } from './schedule.ts';

/** Dependencies of a job. */
export interface JobContext<V extends Variables = Variables> extends Omit<Deps, 'config'> {
  config: Config & ConfigOf<V>;
  registry: Registry;
}

/** Outcome of a run. */
export interface Run {
  /** `idle`: there was nothing to do. */
  result: 'done' | 'idle';
  /** Milliseconds until the next run; by default those of the schedule. */
  pauseMs?: number;
}

/** A job in the process that holds its lease: what it keeps in memory ends with the lease. */
export interface LeadingJob {
  /**
   * One run, never two at a time. It can be repeated after a stop at any point.
   * @param signal is aborted when the process stops, the lease is lost or `limitMs` is over
   * @throws {LeaseLost} when another process has taken the lease
   */
  run(signal: AbortSignal): Promise<Run>;
}

export interface JobDefinition<V extends Variables> {
  /** Label of its metrics, and its row in the table `job`. */
  name: string;
  /** What it does, in a few words. */
  summary: string;
  /** Variables of the environment that it reads besides the common ones. */
  variables: V;
  /** Of all processes, the one that has this lease runs the job. */
  lease: Lease;
  schedule: Schedule;
  /** Milliseconds until the next run after one that has failed. */
  retryMs: number;
  /** A longer run is aborted, and its lease is not renewed any more. */
  limitMs: number;
  /** Logged when runs begin to fail. */
  failed: string;
  /** Logged when a run succeeds again. */
  recovered: string;
  /**
   * Prepares the job when the process starts.
   * @returns begins the job when this process has taken the lease; null if the configuration turns the job off
   */
  open(context: JobContext<V>): ((generation: number) => LeadingJob) | null;
}

/** A job in the list of jobs. */
export type Job = JobDefinition<Variables>;

/** Gives a job its types: the configuration that `open` gets follows from `variables`. */
export const defineJob = <const V extends Variables>(definition: JobDefinition<V>): Job => definition as unknown as Job;

/** A job that is not made of short transactions loses its lease after this time without a renewal. */
const LEASE_SECONDS = 30;

/** The lease in the job's row of the table `job`. */
export const jobLease = (name: string): Lease => createLease('job', LEASE_SECONDS, name);
