/** Measurements that are read from a store. */
import { Gauge, type Registry } from 'prom-client';

const ANSWER_WITHIN_MS = 1_000;

export interface StoreGauge {
  registry: Registry;
  name: string;
  help: string;
  read(): Promise<number>;
}

/** Read at each scrape; NaN where the store does not answer in time, so that the other measurements are not held up. */
export function storeGauge({ registry, name, help, read }: StoreGauge): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<number>((resolve) => {
        timer = setTimeout(resolve, ANSWER_WITHIN_MS, Number.NaN);
      });
      this.set(await Promise.race([read().catch(() => Number.NaN), late]));
      clearTimeout(timer);
    },
  });
}
