import { setTimeout as sleep } from 'node:timers/promises';

const { TOUCHLINE_URL, TOUCHLINE_KEY = '' } = process.env;
/** A longer wait is for the next day or month. Decide for yourself how to handle it. */
const LONGEST_WAIT_SECONDS = 60;

/** Waits if the limit per second is used up. */
export async function get(path: string): Promise<unknown> {
  const headers = { 'X-API-Key': TOUCHLINE_KEY };
  for (;;) {
    const response = await fetch(TOUCHLINE_URL + path, { headers });
    const wait = Number(response.headers.get('Retry-After') ?? 1);
    if ([429, 503].includes(response.status) && wait <= LONGEST_WAIT_SECONDS) {
      await sleep((wait + Math.random()) * 1_000);
      continue;
    }
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return response.json();
  }
}

const paths = Array.from(
  { length: 25 },
  (_, index) => `/v1/events?limit=1&offset=${index}`,
);
const replies = await Promise.all(paths.map(get));
console.log(replies.length, 'replies');
