/**
 * Adds an invented sport to a copy of the sources as CONTRIBUTING describes, with one file and a line in the list. Then
 * tests it in a service that runs from the copy.
 */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/runtime/clock.ts';
import { SPORTS } from '../../src/sports/sports.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { FEED_TOKEN } from '../support/http.ts';
import { killAll, type Pod, podEnv, startPod } from '../support/pods.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { type OpenStream, openStream } from '../support/stream-client.ts';

const SPORT_FILE = `import { defineSport } from './sport.ts';

export const lanternball = defineSport({
  id: ${Math.max(...SPORTS.map(({ id }) => id)) + 1},
  slug: 'lanternball',
  name: 'Lanternball',
  name_ru: 'Фонарбол',
  takeoverMinutes: 7,
  awaitingAfterStart: 240,
  awaitingAfterSilence: 120,
  decidingPeriods: ['S3'],
  starters: 2,
  score: { countedBy: 'set_end' },
  incidents: ['set_end', 'card'],
  blocks: ['points_history'],
  draws: false,
  table: { points: { win: 5, draw: 0, loss: 0, overtime_win: 4, overtime_loss: 2 }, tie_breaks: ['wins'] },
  trends: ['won', 'lost'],
});
`;

const ROOT = new URL('../../', import.meta.url).pathname;
const COPIED = ['src', 'data', 'operators', 'bin', 'package.json', 'tsconfig.json'];

/** Copies the files from which the service runs, and adds the sport. */
function addSport(folder: string): void {
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'src/sports/lanternball.ts'), SPORT_FILE);
  const list = join(folder, 'src/sports/sports.ts');
  const before = readFileSync(list, 'utf8');
  const after = before.replace(/\n\];/, '\n  lanternball,\n];');
  assert.notEqual(after, before);
  writeFileSync(list, `import { lanternball } from './lanternball.ts';\n${after}`);
}

const YESTERDAY = new Date(Date.now() - 24 * 60 * 60_000).toISOString();

/** Returns the incident for a set that a side has won. */
const set = (period: string, side: 'home' | 'away') => ({ id: `end-${period}`, kind: 'set_end', period, side });
const LINEUP = ['home', 'away'].flatMap((side) =>
  ['One', 'Two'].map((name) => ({ side, player: { name: `${side} ${name}` }, is_substitute: false })),
);

const LEAGUE = { id: 'lantern-league', name: 'Lantern League', country: 'GB-ENG' };
const envelope = () => ({ schema: 1, provider: 'live', observed_at: new Date().toISOString() });
const leagueUpdate = () => ({
  ...envelope(),
  kind: 'tournament',
  tournament: { ...LEAGUE, sport: 'lanternball', tier: 1 },
});

function matchUpdate(id: string, home: string, away: string, more: object) {
  return {
    ...envelope(),
    kind: 'match',
    match: {
      id,
      sport: 'lanternball',
      tournament: LEAGUE,
      season: { label: '2026' },
      home: { id: home, name: home, country: 'GB-ENG' },
      away: { id: away, name: away, country: 'GB-ENG' },
      scheduled_start: YESTERDAY,
      ...more,
    },
  };
}

describe('a made-up sport, added by one file and a line in the list', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let db: TestDatabase;
  let pod: Pod;
  let key: string;
  let stream: OpenStream;

  // biome-ignore lint/suspicious/noExplicitAny: replies of the copy, whose schemas know the sport
  const read = (reply: Response): Promise<any> => reply.json();
  const feed = async (...updates: object[]) => {
    const body = updates.map((update) => JSON.stringify(update)).join('\n');
    const headers = { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/x-ndjson' };
    return read(await fetch(`${pod.url}/feed/v1/updates`, { method: 'POST', headers, body }));
  };
  const get = async (path: string) => {
    const reply = await fetch(pod.url + path, { headers: { 'X-API-Key': key } });
    assert.equal(reply.status, 200, path);
    return read(reply);
  };
  const findMatch = async (side: string) => {
    const { events } = await get('/v1/events?sport=lanternball');
    return events.find(({ participants }: { participants: { name: string }[] }) => participants[0]!.name === side);
  };

  before(async () => {
    addSport(folder.path);
    const launcher = join(folder.path, 'bin/touchline.js');
    db = await createTestDatabase();
    const env = podEnv(db.url, { PUBLIC_SITE: '1', LOG_LEVEL: 'fatal' });
    const migrated = await run(['migrate'], { env, launcher });
    assert.equal(migrated.code, 0, migrated.err);
    key = (await createKey(db.pool, systemClock, { email: 'a@example.com', plan: 'business' })).key;
    pod = await startPod('all', env, launcher);
    stream = await openStream(`${pod.url}/v1/stream?sport=lanternball`, { 'X-API-Key': key });
  });
  after(async () => {
    stream?.close();
    await killAll(pod === undefined ? [] : [pod]);
    await db.drop();
    folder.remove();
  });

  it('is in the reference lists and in the API document', async () => {
    const { sports } = await get('/v1/sports');
    const { name_i18n } = sports.find(({ slug }: { slug: string }) => slug === 'lanternball');
    assert.deepEqual(name_i18n, { en: 'Lanternball', ru: 'Фонарбол' });
    const { incident_kinds } = await get('/v1/reference/incident-kinds?sport=lanternball');
    const kinds = incident_kinds.map(({ kind }: { kind: string }) => kind);
    assert.deepEqual(kinds, ['card', 'subst', 'period_start', 'period_end', 'set_end', 'other']);
    const document = await read(await fetch(`${pod.url}/v1/openapi.json`));
    const { parameters } = document.paths['/v1/events'].get;
    const sport = parameters.find(({ name }: { name: string }) => name === 'sport');
    assert.equal(sport.schema.items.enum.at(-1), 'lanternball');
  });

  it('accepts updates only for the blocks that it has', async () => {
    const momentum = { graphPoints: [{ minute: 1, value: 5 }] };
    const shotmap: object[] = [];
    const result = await feed(matchUpdate('refused', 'Amber', 'Basalt', { status: 'live', momentum, shotmap }));
    assert.deepEqual([result.accepted, result.rejected.length], [0, 1]);
    assert.match(JSON.stringify(result), /exists for football only/);
  });

  it('computes the score from incidents, on the card and in the stream', async () => {
    const live = { status: 'live', status_detail: 'in_play', lineup_confirmed: true, lineups: LINEUP };
    const begun = await feed(leagueUpdate(), matchUpdate('one', 'Amber', 'Basalt', { ...live, incidents: [] }));
    assert.equal(begun.accepted, 2, JSON.stringify(begun));
    const { id } = await findMatch('Amber');
    const card = { id: 'card-1', kind: 'card', period: 'S2', side: 'away' };
    const incidents = [set('S1', 'home'), card, set('S2', 'away')];
    assert.equal((await feed(matchUpdate('one', 'Amber', 'Basalt', { ...live, incidents }))).accepted, 1);
    await stream.until(/match\.card/);
    const text = await stream.until((all) => (all.match(/event: match\.set_ended/g) ?? []).length === 2);
    assert.match(text, /"sport":"lanternball"/);
    const { participants, meta } = await get(`/v1/event/${id}`);
    assert.deepEqual(
      participants.map(({ score }: { score: number }) => score),
      [1, 1],
    );
    assert.equal(meta.completeness.lineups, 'full');
    assert.equal(meta.completeness.points_history, 'none');
    for (const block of ['shotmap', 'momentum', 'fight']) assert.ok(!(block in meta.completeness), block);
  });

  it('ends with a complete incident list, and has a table by points', async () => {
    const ended = { status: 'finished', status_detail: 'ended' };
    const periods = (...won: ('home' | 'away')[]) =>
      won.map((side, n) => ({ period: `S${n + 1}`, home: side === 'home' ? 9 : 4, away: side === 'away' ? 9 : 4 }));
    const one = {
      ...ended,
      score: { home: 2, away: 1 },
      period_scores: periods('home', 'away', 'home'),
      incidents: [set('S1', 'home'), set('S2', 'away'), set('S3', 'home')],
    };
    const two = { ...ended, score: { home: 2, away: 0 }, period_scores: periods('home', 'home') };
    const result = await feed(matchUpdate('one', 'Amber', 'Basalt', one), matchUpdate('two', 'Coral', 'Amber', two));
    assert.equal(result.accepted, 2, JSON.stringify(result));
    await stream.until(/match\.finished/);
    const { id, tournament_id } = await findMatch('Amber');
    const { meta } = await get(`/v1/event/${id}`);
    assert.equal(meta.completeness.incidents, 'full');
    const { table } = await get(`/v1/tournament/${tournament_id}/standings`);
    const rows = table.map(({ name, wins, points }: Record<string, unknown>) => [name, wins, points]);
    // After the third set, the winner has four points and the loser has two.
    assert.deepEqual(rows, [
      ['Coral', 1, 5],
      ['Amber', 1, 4],
      ['Basalt', 0, 2],
    ]);
  });

  it('has pages', async () => {
    const { id } = await findMatch('Amber');
    const reply = await fetch(`${pod.url}/match/${id}`);
    assert.equal(reply.status, 200);
    const page = await reply.text();
    for (const word of ['Amber', 'Basalt', 'Lantern League']) assert.ok(page.includes(word), word);
    const leagues = await (await fetch(`${pod.url}/docs/leagues.html?sport=lanternball`)).text();
    assert.ok(leagues.includes('Lanternball'));
  });
});
