/** Measurements that a store has to be asked for. */
import { Gauge, type Registry } from 'prom-client';

const ANSWER_WITHIN_MS = 1_000;

export interface StoreGauge {
  registry: Registry;
  name: string;
  help: string;
  read(): Promise<number>;
}

/** Asked when it is scraped; NaN where the store does not answer in time, since the other measurements tell about that too. */
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
