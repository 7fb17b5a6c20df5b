/**
 * Announces that an account has used 80 % or all of a day's or a month's quota. Only one process announces it, and only
 * once. A row in Postgres decides which one.
 */
import type { Logger } from 'pino';
import type { Queryable } from '../../db/postgres.ts';
import type { NotifyWindow, WindowNotice } from '../../http/index.ts';
import type { AccountLimit, KeyKind } from './account-limit.ts';
import { acquireNotices } from './count-exchange.ts';

/** Percent of the quota. */
const THRESHOLDS = [80, 100] as const;
export type Threshold = WindowNotice['percent'];

export interface NoticesOptions {
  pool: Queryable;
  logger: Pick<Logger, 'error'>;
  notifyWindow?: NotifyWindow | undefined;
}

export class WindowNotices {
  readonly #options: NoticesOptions;
  /** Thresholds that have been announced, as far as this process knows, by limit and window. */
  readonly #told = new WeakMap<AccountLimit, Map<string, Threshold>>();

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  /** @param limits limits for the same kind of keys */
  async check(keys: KeyKind, limits: readonly AccountLimit[], now: number): Promise<void> {
    const { notifyWindow } = this.#options;
    if (notifyWindow === undefined) return;
    const passed = limits.flatMap((limit) => this.#passed(limit, now));
    if (passed.length === 0) return;
    const claimed = await acquireNotices(
      this.#options.pool,
      keys,
      passed.map(({ notice, starts }) => ({
        accountId: notice.accountId,
        kind: notice.window,
        starts,
        percent: notice.percent,
      })),
    );
    for (const { limit, notice, starts } of passed) {
      const told = this.#told.get(limit) ?? new Map();
      this.#told.set(limit, told.set(`${notice.window} ${starts}`, notice.percent));
      const isMine = claimed.some(
        (one) => one.accountId === notice.accountId && one.kind === notice.window && one.percent === notice.percent,
      );
      if (isMine) await this.#tell(notifyWindow, notice);
    }
  }

  /**
   * Returns the highest threshold that was passed in each window, unless this process knows that it has been announced.
   */
  #passed(limit: AccountLimit, now: number): { limit: AccountLimit; starts: string; notice: WindowNotice }[] {
    return limit.periods.flatMap((period) => {
      const { starts, endsAt } = period.at(now);
      const percent = THRESHOLDS.findLast((threshold) => period.used * 100 >= period.quota * threshold);
      if (percent === undefined) return [];
      if ((this.#told.get(limit)?.get(`${period.name} ${starts}`) ?? 0) >= percent) return [];
      const { used, quota, name: window } = period;
      const resetsAt = new Date(endsAt);
      const { accountId, keys } = limit;
      return [{ limit, starts, notice: { accountId, keys, window, percent, used, quota, resetsAt } }];
    });
  }

  async #tell(notifyWindow: NotifyWindow, notice: WindowNotice): Promise<void> {
    try {
      await notifyWindow(notice);
    } catch (error) {
      this.#options.logger.error({ err: error, ...notice }, 'a notice about quota use could not be sent');
    }
  }
}
