/** What a process has counted since the last flush. Pure. */
/** Requests by one key to one endpoint on one day with one status. */
export interface UsageCell {
  accountId: number;
  /** YYYY-MM-DD (UTC). */
  day: string;
  keyId: number;
  /** Route path with placeholders. */
  endpoint: string;
  status: number;
  requests: number;
  billable: number;
}

export interface KeyUse {
  keyId: number;
  /** ms since 1970 */
  at: number;
  /** Client address. */
  from: string;
}

export interface CountedRequest {
  accountId: number;
  keyId: number;
  endpoint: string;
  status: number;
  /** Number of requests that the plan is charged for this request; 0 if it was free. */
  cost: number;
}

export class UsageCounters {
  #cells = new Map<string, UsageCell>();
  #keys = new Map<number, KeyUse>();

  count({ accountId, keyId, endpoint, status, cost }: CountedRequest, day: string): void {
    const name = `${keyId} ${status} ${day} ${endpoint}`;
    let cell = this.#cells.get(name);
    if (cell === undefined) {
      cell = { accountId, day, keyId, endpoint, status, requests: 0, billable: 0 };
      this.#cells.set(name, cell);
    }
    cell.requests += 1;
    cell.billable += cost;
  }

  /** Records a key's last use. Reads the address at most once a second per key. */
  used(keyId: number, at: number, from: () => string): void {
    const known = this.#keys.get(keyId);
    if (known !== undefined && at - known.at < 1_000 && at >= known.at) return;
    this.#keys.set(keyId, { keyId, at, from: from() });
  }

  /** @returns the counts since the last call */
  take(): { cells: UsageCell[]; keys: KeyUse[] } {
    const taken = { cells: [...this.#cells.values()], keys: [...this.#keys.values()] };
    this.#cells = new Map();
    this.#keys = new Map();
    return taken;
  }

  /** Takes back counts that could not be stored. */
  putBack({ cells, keys }: { cells: readonly UsageCell[]; keys: readonly KeyUse[] }): void {
    for (const cell of cells) {
      const name = `${cell.keyId} ${cell.status} ${cell.day} ${cell.endpoint}`;
      const newer = this.#cells.get(name);
      if (newer === undefined) this.#cells.set(name, cell);
      else {
        newer.requests += cell.requests;
        newer.billable += cell.billable;
      }
    }
    for (const key of keys) if ((this.#keys.get(key.keyId)?.at ?? -1) < key.at) this.#keys.set(key.keyId, key);
  }
}
