/** The most recent envelope ids, to drop repeats; the oldest are dropped. */
const REMEMBERED = 20_000;

export class RecentIds {
  private readonly ids = new Set<string>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(id: string): void {
    this.ids.add(id);
    if (this.ids.size > REMEMBERED) this.ids.delete(this.ids.values().next().value!);
  }

  clear(): void {
    this.ids.clear();
  }
}
