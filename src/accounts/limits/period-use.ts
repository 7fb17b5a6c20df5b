/** How one process sees an account's usage in a day or month. Pure. */
import { type Period, type PeriodName, periodAt } from './periods.ts';

/** Usage to be added to a window in the database. */
export interface UseReport {
  kind: PeriodName;
  starts: string;
  used: number;
}

/** Maximum usage that a process may leave unreported, as a share of what is left. */
const UNREPORTED_OF_LEFT = 0.05;
/**
 * Maximum usage that all processes together may leave unreported, as a share of the quota. If processes are killed,
 * this much may be lost, so that as much is admitted in excess.
 */
const UNREPORTED_OF_QUOTA = 0.01;
/** As UNREPORTED_OF_QUOTA, but for a process that has not recently read what the others have used. */
const UNSEEN_OF_QUOTA = 0.002;

export class PeriodUse {
  readonly name: PeriodName;
  quota: number;
  #period: Period;
  /** Usage in the database at the last reading. */
  #stored = 0;
  #unreported = 0;
  /** Reported but not confirmed yet. */
  #reported = 0;
  #pods = 1;
  /** Unreported usage in earlier windows. */
  #earlier: UseReport[] = [];

  constructor(name: PeriodName, quota: number, now: number) {
    this.name = name;
    this.quota = quota;
    this.#period = periodAt(name, now);
  }

  /** Begins the next window if this one has ended. */
  at(now: number): Period {
    if (now >= this.#period.endsAt) {
      if (this.#unreported !== 0) this.#earlier.push(this.#open(this.#unreported));
      this.#period = periodAt(this.name, now);
      this.#stored = 0;
      this.#unreported = 0;
      this.#reported = 0;
    }
    return this.#period;
  }

  get used(): number {
    return this.#stored + this.#unreported + this.#reported;
  }

  /** What is left of the window, at least 0. */
  get left(): number {
    return Math.max(0, this.quota - this.used);
  }

  /** What is left while the database is unavailable: this process's share of what was left at the last reading. */
  get leftAlone(): number {
    const share = Math.floor(Math.max(0, this.quota - this.#stored) / this.#pods);
    return Math.max(0, share - this.#unreported - this.#reported);
  }

  spend(cost: number): void {
    this.#unreported += cost;
  }

  /** @param starts start of the charged window */
  refund(cost: number, starts: string): void {
    if (starts === this.#period.starts) this.#unreported -= cost;
  }

  /**
   * Whether this process may leave this cost unreported for now.
   * @param seen whether this process has recently read what other processes have used
   */
  mayStayUnreported(cost: number, seen: boolean): boolean {
    return this.#unreported + this.#reported + cost <= this.#allowance(seen);
  }

  /** Whether other processes must be told soon. */
  isPressing(): boolean {
    return this.#unreported > 0 && this.#unreported * 2 > this.#allowance(true);
  }

  /**
   * @param always if true, returns a report for the current window even if nothing was used
   * @returns an empty list if there is nothing to report
   */
  report(now: number, always: boolean): UseReport[] {
    this.at(now);
    const reports = this.#earlier;
    this.#earlier = [];
    if (always || this.#unreported !== 0) reports.push(this.#open(this.#unreported));
    this.#reported += this.#unreported;
    this.#unreported = 0;
    return reports;
  }

  /**
   * @param stored the window's usage in the database after the report
   * @param pods number of processes that have reported recently, including this one
   */
  settle(report: UseReport, stored: number, pods: number): void {
    if (report.starts !== this.#period.starts) return;
    this.#stored = stored;
    this.#reported -= report.used;
    this.#pods = pods;
  }

  /** Takes a report back because it did not reach the database. */
  restore(report: UseReport): void {
    if (report.starts === this.#period.starts) {
      this.#reported -= report.used;
      this.#unreported += report.used;
    } else if (report.used !== 0) this.#earlier.push(report);
  }

  #open(used: number): UseReport {
    return { kind: this.name, starts: this.#period.starts, used };
  }

  #allowance(seen: boolean): number {
    const left = Math.max(0, this.quota - this.#stored);
    const ofQuota = (seen ? UNREPORTED_OF_QUOTA : UNSEEN_OF_QUOTA) * this.quota;
    return Math.max(1, Math.floor(Math.min(UNREPORTED_OF_LEFT * left, ofQuota / this.#pods)));
  }
}
