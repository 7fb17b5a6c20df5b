/**
 * Measures 1,000 live matches from a polled source: the time from when a score is entered at the source until its event is in the database,
 * and the resources that the polling process uses. MATCHES=1000. After a minute of warm-up, it measures for SECONDS=180.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openPool } from '../src/db/postgres.ts';
import { type EnteredMatch, enterGoal, enterMatch, startOpenLigaDb } from '../test/support/openligadb.ts';
import { killAll, podEnv, startPod } from '../test/support/pods.ts';
import { startTestServer } from '../test/support/postgres-server.ts';

const MATCHES = Number(process.env.MATCHES ?? 1_000);
const SECONDS = Number(process.env.SECONDS ?? 180);
const WARM_UP_S = 60;
/** Number of matches on a matchday. */
const MATCHDAY = 10;
/** Mean time between two goals in a match. In real matches, it is about half an hour. */
const GOAL_EVERY_S = 120;
/** Goal from the project's issue. */
const GOAL_P99_S = 25;
const MINUTE = 60_000;
const YEAR = new Date().getUTCFullYear();

const source = await startOpenLigaDb(Date.now);
const start = Date.now() - 20 * MINUTE;
const leagues = Array.from({ length: Math.ceil(MATCHES / MATCHDAY) }, (_, index) => `l${index}`);
source.matches = leagues.flatMap((leagueShortcut, league) =>
  Array.from({ length: MATCHDAY }, (_, index) =>
    enterMatch([`Home ${league} ${index}`, `Away ${league} ${index}`], start, {
      leagueShortcut,
      leagueName: `League ${league} ${YEAR}/${YEAR + 1}`,
      leagueSeason: YEAR,
    }),
  ),
);

/** When each score was entered, by match and score. */
const entered = new Map<string, number>();
const key = (home: string, scored: number) => `${home} ${scored}`;

function enterNext(match: EnteredMatch): void {
  const scored = match.goals.length + 1;
  enterGoal(match, `${scored}:0`, 20 + scored, 'A. Player');
  source.touch(match);
  entered.set(key(match.team1.teamName, scored), Date.now());
}

/** Returns a process's CPU seconds and resident megabytes. */
function cost(pid: number): { cpu: number; mb: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  const mb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024;
  return { cpu: (Number(stat[11]) + Number(stat[12])) / 100, mb };
}

const server = await startTestServer();
const pool = openPool(server.url, pino({ level: 'silent' }));
const pod = await startPod(
  'jobs',
  podEnv(server.url, {
    WEATHER_URL: 'off',
    PROVIDERS: leagues.map((league) => `openligadb:${league}/${YEAR}`).join(','),
    PROVIDERS_URLS: `openligadb=${source.url}`,
    PROVIDERS_DAILY_REQUESTS: 'openligadb=100000000',
  }),
);
const ages: number[] = [];
let last = 0;
let isMeasuring = false;

async function readEvents(): Promise<void> {
  const { rows } = await pool.query<{ id: number; home: string; scored: number }>(
    `SELECT id, envelope::json #>> '{data,match,home,name}' AS home, (envelope::json #>> '{data,match,home,score}')::int AS scored
     FROM outbox WHERE id > $1 AND type = 'match.goal' ORDER BY id`,
    [last],
  );
  const now = Date.now();
  for (const { id, home, scored } of rows) {
    last = id;
    const at = entered.get(key(home, scored));
    entered.delete(key(home, scored));
    if (isMeasuring && at !== undefined) ages.push((now - at) / 1_000);
  }
}

let carry = 0;
const until = async (seconds: number) => {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; ) {
    carry += source.matches.length / GOAL_EVERY_S / 4;
    for (; carry >= 1; carry -= 1) enterNext(source.matches[Math.floor(Math.random() * source.matches.length)]!);
    await readEvents();
    await sleep(250);
  }
};
await until(WARM_UP_S);
isMeasuring = true;
const [before, asked] = [cost(pod.started.child.pid!), source.asked.length];
await until(SECONDS);
const [after, requests] = [cost(pod.started.child.pid!), source.asked.length - asked];
isMeasuring = false;

ages.sort((a, b) => a - b);
const at = (share: number) => ages[Math.min(ages.length - 1, Math.floor(ages.length * share))] ?? Number.NaN;
// Goals that have not arrived within the limit.
const late = [...entered.values()].filter((time) => Date.now() - time > GOAL_P99_S * 1_000).length;
const p99 = at(0.99);
const say = (line: string) => process.stdout.write(`${line}\n`);
say(
  `${source.matches.length} live matches, a goal of each every ${GOAL_EVERY_S} s: ${ages.length} goals; ${late} are missing`,
);
say(
  `age of the stored state  p50 ${at(0.5).toFixed(1)} s  p99 ${p99.toFixed(1)} s  bound ${GOAL_P99_S} s  ratio ${(p99 / GOAL_P99_S).toFixed(2)}  ${p99 <= GOAL_P99_S ? 'met' : 'MISSED'}`,
);
say(
  `process that polls       ${(requests / SECONDS).toFixed(1)} requests/s  ${(((after.cpu - before.cpu) / SECONDS) * 100).toFixed(0)} % of a core  ${after.mb.toFixed(0)} MB`,
);
await killAll([pod]);
await source.close();
await pool.end();
await server.stop();
process.exit(0);
