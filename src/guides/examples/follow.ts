// Keeps a copy of one tournament's matches: node follow.ts 17
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const { TOUCHLINE_URL, TOUCHLINE_KEY = '' } = process.env;
const headers = { 'X-API-Key': TOUCHLINE_KEY };
const tournament = process.argv[2] ?? '1';
const SILENCE_MS = 45_000;

interface Side {
  name: string;
  score: number | null;
}
interface Match {
  id: number;
  participants: Side[];
}
interface Event {
  id: string;
  type: string;
  data: { match: { id: number; home: Side; away: Side } };
}

// Stored with the copy, ideally in the same transaction. `stream` is the stream's cursor, `sync` is the cursor for
// changes.
const STATE_FILE = `touchline-${tournament}.json`;
const state: { stream: string | null; sync: string } = existsSync(STATE_FILE)
  ? JSON.parse(readFileSync(STATE_FILE, 'utf8'))
  : { stream: null, sync: '' };
function save() {
  // A crash leaves the old state or the new one, never a partial file.
  writeFileSync(`${STATE_FILE}.new`, JSON.stringify(state));
  renameSync(`${STATE_FILE}.new`, STATE_FILE);
}

function store(what: string, id: number, sides: Side[]) {
  console.log(what, id, ...sides.map(({ name, score }) => `${name} ${score ?? '-'}`));
}

// An event may be delivered twice, with the same id.
function handle({ type, data: { match } }: Event) {
  store(type, match.id, [match.home, match.away]);
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(TOUCHLINE_URL + path, { headers });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

interface SyncPage {
  events: Match[];
  deleted: { id: number }[];
  next_cursor: string;
  has_more: boolean;
  stream_cursor: number;
}

/** Reads the changes since the last time; at first, everything. */
async function sync() {
  for (;;) {
    const query = new URLSearchParams({ tournament, cursor: state.sync });
    const page = await get<SyncPage>(`/v1/sync?${query}`);
    for (const match of page.events) store('sync', match.id, match.participants);
    for (const { id } of page.deleted) console.log('deleted', id);
    state.sync = page.next_cursor;
    if (page.has_more) continue;
    state.stream = String(page.stream_cursor);
    return save();
  }
}

interface Gap {
  from: number;
  reason: 'limit' | 'expired' | 'ahead';
}
interface ReplayPage {
  events: Event[];
  next_cursor: number;
  has_more: boolean;
}

/** More was missed than the stream sends again. Replay has events for 7 days, and sync always has the current state. */
async function closeGap({ from, reason }: Gap) {
  if (reason !== 'limit') return sync();
  for (let since = from, more = true; more; ) {
    const path = `/v1/stream/replay?league=${tournament}&since=${since}`;
    const page = await get<ReplayPage>(path);
    for (const event of page.events) handle(event);
    since = page.next_cursor;
    more = page.has_more;
    state.stream = String(since);
    save();
  }
}

/** A frame is lines of `field: value`; an empty line ends it. */
async function take(frame: string) {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1];
  const data = field('data');
  if (field('event') === 'stream.gap') await closeGap(JSON.parse(data!));
  else if (data !== undefined) handle(JSON.parse(data));
  state.stream = field('id') ?? state.stream;
  save();
}

async function follow() {
  if (state.stream === null) await sync();
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(`${TOUCHLINE_URL}/v1/stream?league=${tournament}`, {
      headers: { ...headers, 'Last-Event-ID': state.stream! },
      signal: silence.signal,
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const frames = (text + chunk).split('\n\n');
      text = frames.pop()!;
      for (const frame of frames) await take(frame);
    }
  } finally {
    clearTimeout(timer);
  }
}

for (;;) {
  await follow().catch((error: Error) => {
    // A fault in the key, the plan or the filter, after which the next attempt would end the same way.
    if (/^4(?!29)/.test(error.message)) throw error;
    console.error(error.message);
  });
  await sleep(1_000 + 4_000 * Math.random());
}
