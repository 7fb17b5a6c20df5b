/** How one process sees an account's use in a day or month. Pure. */
import { type Period, type PeriodName, periodAt } from './periods.ts';

/** Usage that is to be added to a window in the database. */
export interface UseReport {
  kind: PeriodName;
  starts: string;
  used: number;
}

/** How much a process may leave unreported at most, as a share of what is left. */
const UNREPORTED_OF_LEFT = 0.05;
/**
 * How much all processes together may leave unreported at most, as a share of the quota. A kill may lose this much, and
 * processes may admit this much in excess.
 */
const UNREPORTED_OF_QUOTA = 0.01;
/** The same for a process that has not read for a while what other processes have used. */
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
  /** Unreported use in earlier windows. */
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

  /** Not below 0. */
  get left(): number {
    return Math.max(0, this.quota - this.used);
  }

  /** The rest while the database is unavailable, as this process's share at the last reading. */
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
   * Whether this amount may stay unreported for now. @param seen whether this process has recently read what other
   * processes have used
   */
  mayStayUnreported(cost: number, seen: boolean): boolean {
    return this.#unreported + this.#reported + cost <= this.#allowance(seen);
  }

  /** Whether other processes must be informed soon. */
  isPressing(): boolean {
    return this.#unreported > 0 && this.#unreported * 2 > this.#allowance(true);
  }

  /** @returns an empty list if there is nothing to report, unless `always` */
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
   * @param stored the window's use in the database after the report @param pods processes that have reported recently,
   * including this one
   */
  settle(report: UseReport, stored: number, pods: number): void {
    if (report.starts !== this.#period.starts) return;
    this.#stored = stored;
    this.#reported -= report.used;
    this.#pods = pods;
  }

  /** The report has not arrived. */
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
