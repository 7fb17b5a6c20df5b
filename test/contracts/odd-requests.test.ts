/**
 * Sends odd values to every GET route and to the pages that link to one another, in a random order. Whatever a client asks for, and
 * whatever was asked before on the same connection to Postgres, no reply is an internal error.
 */
import assert from 'node:assert/strict';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { randomNumbers } from '../support/random.ts';
import { type SampleService, startSampleService } from '../support/sample-service.ts';

const { PROPERTY_SEED = '20261201' } = process.env;
const SEED = PROPERTY_SEED === 'random' ? Date.now() % 2 ** 31 : Number(PROPERTY_SEED);
const REQUESTS = LONG_FORMS ? 20_000 : 3_000;
const AT_ONCE = 4;
const MAX_PAGES = 10_000;
const ODD =
  `0|-1|1e9|99999999999999999999|NaN|null|true|\u0000|a\u0000b|\u202eб|${'😀'.repeat(50)}|' OR 1=1--|../../etc/passwd|${'a'.repeat(3_000)}|
2026-02-30|2026-02-28|0001-01-01|9999-12-31|2026-03-01T12:00:00Z|[]|{}|a,b,c|${','.repeat(300)}|1,2,3|*|%|%%|\\|"|<script>|-0|0x10|１２|
+1|1 |__proto__|constructor|toString|1-16B3740|ru|zz|football|overview|table|squad|statistics|transfers|lineups|2025/26`
    .replaceAll('\n', '')
    .split('|');

interface Parameter {
  in: string;
  name: string;
}

describe('odd requests', function () {
  this.timeout(600_000);
  let db: TestDatabase;
  let clickhouse: ClickHouseServer;
  let sample: SampleService;
  before(async () => {
    [db, clickhouse] = await Promise.all([createTestDatabase(), startClickHouseServer()]);
    sample = await startSampleService({
      DATABASE_URL: db.url,
      CLICKHOUSE_URL: clickhouse.url,
      TRUSTED_PROXIES: '127.0.0.1',
    });
  });
  after(async () => {
    await sample?.stop();
    await clickhouse?.stop();
    await db?.drop();
  });

  const failures: string[] = [];
  const statuses = new Map<number, number>();
  const pages = new Set<string>();

  /** Sends requests one after the other. The seed decides which. */
  async function visit(seed: number, routes: readonly { path: string; names: string[] }[]): Promise<void> {
    const random = randomNumbers(seed);
    const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const [parameters, ids] = [['q', 'lang', 'tab', 'date', 'season'], ['1']];
    /** Pages by their kind, so that the many pages of matches are not most of the requests. */
    const known = new Map([['', ['/']]]);
    const oddValue = () => encodeURIComponent(random() < 0.4 ? oneOf(ids) : oneOf(ODD));
    const id = () => (random() < 0.8 ? oneOf(ids) : oddValue());
    const withQuery = (path: string, names: readonly string[]) => {
      const query = names.map((name) => `${name}=${oddValue()}`).join('&');
      return query === '' ? path : `${path}?${query}`;
    };
    /** Notes the links of a page, their parameters and the ids in them. */
    function note(text: string, target: string): void {
      for (const [, href = ''] of text.matchAll(/href="([^"#]+)"/g)) {
        const url = new URL(href.replaceAll('&amp;', '&'), sample.url + target);
        for (const name of url.searchParams.keys()) if (!parameters.includes(name)) parameters.push(name);
        for (const [found] of url.pathname.matchAll(/(?<=\/)\d+/g)) if (!ids.includes(found)) ids.push(found);
        if (url.origin !== sample.url || pages.size >= MAX_PAGES) continue;
        const page = url.pathname + url.search;
        const kind = `${url.pathname.split('/')[1]} ${[...url.searchParams.keys()]} ${url.searchParams.get('tab')}`;
        const same = known.get(kind) ?? [];
        known.set(kind, same);
        if (!same.includes(page)) same.push(page);
        pages.add(page);
      }
    }
    for (let count = 0; count < REQUESTS / AT_ONCE; count += 1) {
      const { path, names } = oneOf(routes);
      const share = random() < 0.5 ? 0 : 0.3;
      const page = oneOf(oneOf([...known.values()]));
      const target =
        random() < 0.5
          ? withQuery(
              path.replaceAll(/\{\w+\}/g, id),
              names.filter(() => random() < share),
            )
          : random() < 0.5
            ? withQuery(page.split('?', 1)[0]!, [oneOf(parameters), oneOf(parameters)])
            : page;
      // Each address may ask only for so many pages a minute.
      const address = `10.${seed % 256}.${count >> 8}.${count % 256}`;
      note(await ask(target, random() < 0.5 ? 'en' : 'ru', address), target);
    }
  }

  /** @returns the text of a page that was found; otherwise an empty one */
  async function ask(target: string, language: string, address: string): Promise<string> {
    const stop = new AbortController();
    const reply = await fetch(sample.url + target, {
      signal: stop.signal,
      redirect: 'manual',
      headers: { 'X-API-Key': sample.key, 'Accept-Language': language, 'X-Forwarded-For': address },
    });
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    if (reply.status >= 500) failures.push(`${reply.status} ${target}`);
    const type = reply.headers.get('content-type') ?? '';
    if (reply.ok && type.startsWith('text/html')) return reply.text();
    if (type.startsWith('text/event-stream')) stop.abort();
    else await reply.arrayBuffer();
    return '';
  }

  it(`get no internal error from ${REQUESTS} requests for data and pages (seed ${SEED})`, async () => {
    const document = (await (await fetch(`${sample.url}/v1/openapi.json`)).json()) as {
      paths: Record<string, { parameters?: Parameter[]; get?: { parameters?: Parameter[] } }>;
    };
    const routes = Object.entries(document.paths).flatMap(([path, { parameters = [], get }]) =>
      get === undefined
        ? []
        : [
            {
              path,
              names: [...parameters, ...(get.parameters ?? [])]
                .filter((one) => one.in === 'query')
                .map(({ name }) => name),
            },
          ],
    );
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => visit(SEED + 7_919 * n, routes)));
    console.log(`      ${pages.size} pages, ${[...statuses].map(([status, all]) => `${all} × ${status}`).join(', ')}`);
    assert.deepEqual(failures, []);
    assert.ok(pages.size > 300 && statuses.get(200)! > 0.2 * REQUESTS, 'most requests were refused');
  });
});
