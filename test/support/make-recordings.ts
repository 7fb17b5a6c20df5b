/**
 * Writes the recordings that are part of the repository into the given folder. They come from a source whose users
 * enter an afternoon of matches. See data/recordings/README.md.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Recorder } from '../../src/polling/recorder.ts';
import { createRecording } from '../../src/polling/recording.ts';
import { provider as openligadb } from '../../src/providers/openligadb/provider.ts';
import { enterAfternoon } from './afternoon.ts';
import { enterGoal, enterMatch, enterResult, type OpenLigaDbServer, startOpenLigaDb } from './openligadb.ts';

const MINUTE = 60_000;
const KICK_OFF = Date.parse('2026-11-21T14:30:00Z');
const EVENING = Date.parse('2026-11-21T17:30:00Z');
/** The recording begins when eight matches are under way. The first goal follows two minutes later. */
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

/** Replacements for scorers' names in the afternoon. */
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

type Entries = [minute: number, enter: () => void][];

/** @param enter fills the source, and returns what its users enter, by minutes since the kick-off */
async function record(
  folder: string,
  scope: string,
  [from, until]: [number, number],
  enter: (source: OpenLigaDbServer) => Entries,
): Promise<void> {
  let now = from;
  const clock = { now: () => now };
  const source = await startOpenLigaDb(() => now);
  const entries = enter(source);
  await rm(folder, { recursive: true, force: true });
  const writer = await createRecording(folder, {
    format: 1,
    provider: openligadb.name,
    scopes: [scope],
    url: openligadb.baseUrl,
    begun_at: new Date(from).toISOString(),
  });
  const deps = { clock, url: source.url, writer, say: (line: string) => process.stderr.write(`${line}\n`) };
  const recorder = new Recorder(deps, openligadb, [scope]);
  const { signal } = new AbortController();
  for (; now < until; now += STEP) {
    while (entries.length > 0 && KICK_OFF + entries[0]![0] * MINUTE <= now) entries.shift()![1]();
    await recorder.turn(signal);
  }
  await writer.close();
  await source.close();
}

function afternoon(source: OpenLigaDbServer): Entries {
  const league = { leagueShortcut: 'demo', leagueName: 'Touchline Demo-Liga 2026/2027' };
  return enterAfternoon(source, TEAMS, { kickOff: KICK_OFF, evening: EVENING, over: league, scorers: SCORERS }).entries;
}

/** A cup tie with extra time and a shoot-out. */
function cupTie(source: OpenLigaDbServer): Entries {
  const tie = enterMatch(['Nordhafen', 'Bergheim'], KICK_OFF, {
    leagueShortcut: 'democup',
    leagueName: 'Touchline Demo-Pokal 2026/2027',
    group: { groupName: 'Viertelfinale', groupOrderID: 4, groupID: 49_004 },
  });
  source.matches = [tie];
  source.currentGroup = 4;
  const at = (minute: number, enter: () => void): [number, () => void] => [
    minute,
    () => {
      enter();
      source.touch(tie);
    },
  ];
  const kick = (score: string) => () => enterGoal(tie, score, 120, null, { comment: 'Elfmeterschießen' });
  return [
    at(24, () => enterGoal(tie, '0:1', 23, 'D. Vogel')),
    at(47, () => enterResult(tie, 1, '0:1')),
    at(101, () => enterGoal(tie, '1:1', 83, 'L. Brandt', { isPenalty: true })),
    at(113, () => enterResult(tie, 2, '1:1')),
    at(122, () => enterGoal(tie, '2:1', 96, 'T. Okafor', { isOvertime: true })),
    at(122.5, () => enterResult(tie, 3, '2:1')),
    at(146, () => enterGoal(tie, '2:2', 118, 'K. Lehner', { isOvertime: true })),
    at(147, () => enterResult(tie, 3, '2:2')),
    at(155, kick('3:2')),
    at(156, kick('3:3')),
    at(157, kick('4:3')),
    at(159, kick('5:3')),
    at(161, () => {
      enterResult(tie, 4, '5:3');
      tie.matchIsFinished = true;
    }),
  ];
}

const target = process.argv[2];
if (target === undefined) throw new Error('usage: make-recordings.ts FOLDER');
await mkdir(target, { recursive: true });
await record(join(target, 'openligadb-afternoon'), 'demo/2026', [FROM, UNTIL], afternoon);
await record(join(target, 'openligadb-cup-tie'), 'democup/2026', [FROM, KICK_OFF + 170 * MINUTE], cupTie);
