/** One process's view of what an account has used of a day or month, pure. */
import { type Period, type PeriodName, periodAt } from './periods.ts';

/** Use that is to be added to a window in the database. */
export interface UseReport {
  kind: PeriodName;
  starts: string;
  used: number;
}

/** Use that others do not know of yet may be this part of what is left, */
const UNREPORTED_OF_LEFT = 0.05;
/** and, of all processes together, this part of the quota: what a kill may lose, and what processes may admit too much. */
const UNREPORTED_OF_QUOTA = 0.01;
/** The same for a process that has not seen for a while what others have used. */
const UNSEEN_OF_QUOTA = 0.002;

export class PeriodUse {
  readonly name: PeriodName;
  quota: number;
  #period: Period;
  /** In the database when it was read last. */
  #stored = 0;
  #unreported = 0;
  /** Reported, and not confirmed yet. */
  #reported = 0;
  #pods = 1;
  /** Of earlier windows, not reported yet. */
  #earlier: UseReport[] = [];

  constructor(name: PeriodName, quota: number, now: number) {
    this.name = name;
    this.quota = quota;
    this.#period = periodAt(name, now);
  }

  /** Begins the next window where this one has ended. */
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

  /** The same while others cannot be asked: this process's share of what was left when they could. */
  get leftAlone(): number {
    const share = Math.floor(Math.max(0, this.quota - this.#stored) / this.#pods);
    return Math.max(0, share - this.#unreported - this.#reported);
  }

  spend(cost: number): void {
    this.#unreported += cost;
  }

  /** @param starts of the window that it was spent from */
  refund(cost: number, starts: string): void {
    if (starts === this.#period.starts) this.#unreported -= cost;
  }

  /** Whether so much may be spent before others know of it. @param seen whether this process knows what others have used lately */
  mayStayUnreported(cost: number, seen: boolean): boolean {
    return this.#unreported + this.#reported + cost <= this.#allowance(seen);
  }

  /** Whether others must know soon. */
  isPressing(): boolean {
    return this.#unreported > 0 && this.#unreported * 2 > this.#allowance(true);
  }

  /** @returns nothing where there is nothing to report, unless `always` */
  report(now: number, always: boolean): UseReport[] {
    this.at(now);
    const reports = this.#earlier;
    this.#earlier = [];
    if (always || this.#unreported !== 0) reports.push(this.#open(this.#unreported));
    this.#reported += this.#unreported;
    this.#unreported = 0;
    return reports;
  }

  /** @param stored what the database has of the window after the report @param pods that have reported lately, this one included */
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
