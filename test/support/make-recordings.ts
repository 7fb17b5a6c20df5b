/**
 * Writes the recordings that the repository ships into the folder that is given, from a source whose users enter an
 * afternoon: see data/recordings/README.md.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Recorder } from '../../src/polling/recorder.ts';
import { createRecording } from '../../src/polling/recording.ts';
import { provider as openligadb } from '../../src/providers/openligadb/provider.ts';
import { enterAfternoon } from './afternoon.ts';
import { startOpenLigaDb } from './openligadb.ts';

const MINUTE = 60_000;
const KICK_OFF = Date.parse('2026-11-21T14:30:00Z');
const EVENING = Date.parse('2026-11-21T17:30:00Z');
/** Eight matches are under way when the recording begins, with a goal two minutes later. */
const FROM = KICK_OFF + 10 * MINUTE;
const UNTIL = KICK_OFF + 120 * MINUTE;
const STEP = 5_000;

const TEAMS: [string, string][] = [
  ['Nordhafen', 'Altstadt'],
  ['Bergheim', 'Seeblick'],
  ['Waldau', 'Steinbruck'],
  ['Lindenfels', 'Kupfertal'],
  ['Falkenried', 'Moorland'],
  ['Silbersand', 'Eichenhof'],
  ['Hohenwiese', 'Kaltenbrunn'],
  ['Grünwerder', 'Rosenau'],
  ['Birkenfeld', 'Salzquell'],
];

/** For the names in the afternoon. */
const SCORERS = {
  'H. Kane': 'L. Brandt',
  'S. Gnabry': 'T. Okafor',
  'J. Musiala': 'M. Reuter',
  'S. Guirassy': 'D. Vogel',
  'N. Schlotterbeck': 'K. Lehner',
  'R. Glatzel': 'P. Winter',
  'J. Njinmah': 'S. Adler',
  'A. Ilić': 'N. Petrić',
  'A. Kramarić': 'F. Sommer',
  'M. Kaars': 'R. Hagen',
  'P. Schick': 'O. Keller',
};

async function recordAfternoon(folder: string): Promise<void> {
  let now = FROM;
  const clock = { now: () => now };
  const source = await startOpenLigaDb(() => now);
  const league = { leagueShortcut: 'demo', leagueName: 'Touchline Demo-Liga 2026/2027' };
  const { entries } = enterAfternoon(source, TEAMS, {
    kickOff: KICK_OFF,
    evening: EVENING,
    over: league,
    scorers: SCORERS,
  });
  await rm(folder, { recursive: true, force: true });
  const writer = await createRecording(folder, {
    format: 1,
    provider: openligadb.name,
    scopes: ['demo/2026'],
    url: openligadb.baseUrl,
    begun_at: new Date(FROM).toISOString(),
  });
  const deps = { clock, url: source.url, writer, say: (line: string) => process.stderr.write(`${line}\n`) };
  const recorder = new Recorder(deps, openligadb, ['demo/2026']);
  const { signal } = new AbortController();
  for (; now < UNTIL; now += STEP) {
    while (entries.length > 0 && KICK_OFF + entries[0]![0] * MINUTE <= now) entries.shift()![1]();
    await recorder.turn(signal);
  }
  await writer.close();
  await source.close();
}

const target = process.argv[2];
if (target === undefined) throw new Error('usage: make-recordings.ts FOLDER');
await mkdir(target, { recursive: true });
await recordAfternoon(join(target, 'openligadb-afternoon'));
