/** Gauges whose values are read from a store at each scrape. */
import { Gauge, type Registry } from 'prom-client';
import { within } from './time-limit.ts';

const ANSWER_WITHIN_MS = 1_000;

interface Measured<T> {
  registry: Registry;
  name: string;
  help: string;
  read(): Promise<T>;
}
export type StoreGauge = Measured<number>;

/**
 * Reads a value from the store.
 * @returns null if the store fails or does not answer in time, so that metrics are not delayed
 */
const answer = <T>(read: () => Promise<T>): Promise<T | null> =>
  within(
    ANSWER_WITHIN_MS,
    read().catch(() => null),
    null,
  );

/** Creates a gauge that is read from a store. It is NaN if the store does not answer. */
export function storeGauge({ registry, name, help, read }: StoreGauge): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set((await answer(read)) ?? Number.NaN);
    },
  });
}

/** Creates a gauge with one series for each key in the store's answer, and no series if the store does not answer. */
export function storeGauges({
  registry,
  name,
  help,
  label,
  read,
}: Measured<ReadonlyMap<string, number>> & { label: string }): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const values = await answer(read);
      this.reset();
      for (const [key, value] of values ?? []) this.set({ [label]: key }, value);
    },
  });
}

/**
 * Creates a gauge that keeps the store's last answer while the store does not answer. The gauge `up` (1 or 0) says
 * whether the store answered.
 */
export function lastingStoreGauge({
  registry,
  name,
  help,
  read,
  up,
}: StoreGauge & { up: { name: string; help: string } }): void {
  const registers = [registry];
  let last = 0;
  let asking: Promise<boolean> | null = null;
  /** Asks the store once per scrape, for both gauges. */
  async function ask(): Promise<boolean> {
    const value = await answer(read);
    asking = null;
    last = value ?? last;
    return value !== null;
  }
  new Gauge({
    ...up,
    registers,
    async collect() {
      asking ??= ask();
      this.set(Number(await asking));
    },
  });
  new Gauge({
    name,
    help,
    registers,
    async collect() {
      asking ??= ask();
      await asking;
      this.set(last);
    },
  });
}
