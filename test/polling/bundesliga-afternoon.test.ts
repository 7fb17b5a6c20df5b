/**
 * A Bundesliga afternoon as OpenLigaDB's users enter it. Goals are entered late, deleted and corrected, a match is
 * entered twice, and the source is down or sends wrong replies. Events and final cards still match what was played.
 */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { transaction } from '../../src/db/postgres.ts';
import { Poller } from '../../src/polling/poller.ts';
import { provider as openligadb } from '../../src/providers/openligadb/provider.ts';
import { enterAfternoon } from '../support/afternoon.ts';
import { type Card, type Envelope, type FeedBench, openFeedBench } from '../support/feed.ts';
import { type EnteredMatch, type OpenLigaDbServer, startOpenLigaDb } from '../support/openligadb.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const KICK_OFF = Date.parse('2026-11-21T14:30:00Z');
const EVENING = Date.parse('2026-11-21T17:30:00Z');

const TEAMS: [string, string][] = [
  ['FC Bayern München', 'VfB Stuttgart'],
  ['Borussia Dortmund', 'SC Freiburg'],
  ['1. FC Köln', 'Hamburger SV'],
  ['SV Werder Bremen', '1. FSV Mainz 05'],
  ['FC Augsburg', 'RB Leipzig'],
  ['1. FC Union Berlin', 'TSG Hoffenheim'],
  ['Eintracht Frankfurt', 'VfL Wolfsburg'],
  ['1. FC Heidenheim 1846', 'FC St. Pauli'],
  ['Bayer 04 Leverkusen', 'Borussia Mönchengladbach'],
];

const hangUp = (response: ServerResponse) => void response.socket!.destroy();
/** Faults, by minutes since the first kick-off. After each fault, except the outage, the next reply is right. */
const FAULTS: { from: number; to: number; answer: (response: ServerResponse, matches: EnteredMatch[]) => void }[] = [
  { from: 62, to: 72, answer: hangUp },
  {
    from: 15,
    to: 15.4,
    answer: (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('\x1f\x8b\x08cut'),
  },
  { from: 30, to: 30.4, answer: (response, matches) => response.end(JSON.stringify(matches).padEnd(5_000_000)) },
  { from: 40, to: 40.4, answer: (response) => response.end('<!doctype html><title>Wartung</title>') },
  {
    from: 50,
    to: 50.2,
    answer: (response) => response.writeHead(302, { Location: 'https://example.com/' }).end(),
  },
  { from: 80, to: 80.4, answer: (response) => response.end('[]') },
  { from: 81, to: 81.3, answer: (response) => response.writeHead(429).end() },
];

describe('a Bundesliga afternoon, polled', function () {
  this.timeout(120_000);
  let bench: FeedBench;
  let source: OpenLigaDbServer;
  let events: Envelope[];
  before(async () => {
    bench = await openFeedBench();
    source = await startOpenLigaDb(() => bench.now);
    await playAfternoon();
    events = await bench.events();
  });
  after(async () => {
    await source.close();
    await bench.db.drop();
  });

  const startPoller = () =>
    new Poller(
      {
        apply: bench.deps,
        clock: bench.deps.clock,
        logger: pino({ level: 'silent' }),
        metrics: { request: () => {}, changed: () => {}, notUnderstood: () => {} },
        url: source.url,
        dailyRequests: 5_000,
        transact: (work) => transaction(bench.db.pool, work),
      },
      openligadb,
      ['bl1'],
    );

  async function playAfternoon(): Promise<void> {
    const { entries } = enterAfternoon(source, TEAMS, { kickOff: KICK_OFF, evening: EVENING });
    source.fault = (path, response) => {
      const minute = (bench.now - KICK_OFF) / MINUTE;
      const fault = FAULTS.find(({ from, to }) => minute >= from && minute < to);
      if (fault === undefined || (!path.startsWith('/getmatchdata') && fault.answer !== hangUp)) return false;
      fault.answer(response, source.matches);
      return true;
    };
    let poller = startPoller();
    let turns = 0;
    const end = EVENING + 150 * MINUTE;
    const isQuiet = () => bench.now < KICK_OFF || (bench.now > KICK_OFF + 120 * MINUTE && bench.now < EVENING);
    for (bench.now = KICK_OFF - 60 * MINUTE; bench.now < end; bench.now += isQuiet() ? MINUTE : 10 * SECOND) {
      while (entries.length > 0 && KICK_OFF + entries[0]![0] * MINUTE <= bench.now) entries.shift()![1]();
      turns += 1;
      // Now and then the poller is killed, and a new one continues with what is stored.
      if (turns % 97 === 0) poller = startPoller();
      await poller.turn(new AbortController().signal);
    }
  }

  /** Formats an event, such as "goal 1:0 (11 H. Kane)". */
  function shown({ type, data }: Envelope): string {
    const { match, incident } = data as unknown as {
      match: { home: { score: number | null }; away: { score: number | null } };
      incident?: { minute: number | null; minute_plus: number | null; player_name: string | null };
    };
    const { home, away } = match;
    const minute = incident && [incident.minute, incident.minute_plus].filter((part) => part !== null).join('+');
    return [
      type.replace('match.', ''),
      home.score === null ? '' : ` ${home.score}:${away.score}`,
      incident ? ` (${minute} ${incident.player_name ?? 'nobody'})` : '',
    ].join('');
  }

  const PLAYED: Record<string, string[]> = {
    'Bayern München': [
      'created',
      'started 0:0',
      'goal 1:0 (11 H. Kane)',
      'goal 2:0 (29 S. Gnabry)',
      'goal_cancelled 1:0 (29 S. Gnabry)',
      'goal 2:0 (69 H. Kane)',
      'incident_updated 2:0 (69 J. Musiala)',
      'finished 2:0',
    ],
    'Borussia Dortmund': [
      'created',
      'started 0:0',
      'score_changed 1:0',
      'goal 1:0 (19 S. Guirassy)',
      'goal 1:1 (74 N. Schlotterbeck)',
      'finished 1:1',
    ],
    '1. FC Köln': ['created', 'started 0:0', 'goal 0:1 (39 R. Glatzel)', 'finished 0:1'],
    'Werder Bremen': ['created', 'started 0:0', 'goal 1:0 (90+3 J. Njinmah)', 'finished 1:0'],
    'FC Augsburg': ['created', 'started 0:0', 'score_changed 0:1', 'finished 0:1'],
    '1. FC Union Berlin': [
      'created',
      'started 0:0',
      'goal 1:1 (63 A. Ilić)',
      'goal 1:1 (65 A. Kramarić)',
      'finished 1:1',
    ],
    'Eintracht Frankfurt': ['created', 'started 0:0', 'finished 0:0'],
    '1. FC Heidenheim': [
      'created',
      'started 0:0',
      'goal 0:1 (14 nobody)',
      'finished 0:1',
      'incident_updated 0:1 (14 M. Kaars)',
    ],
    'Bayer Leverkusen': ['created', 'started 0:0', 'goal 1:0 (4 P. Schick)', 'finished 1:0'],
  };

  it('has the events that happened, in order, for each match', () => {
    const byMatch = new Map<string, string[]>();
    for (const event of events) {
      const { name } = (event.data as unknown as { match: { home: { name: string } } }).match.home;
      byMatch.set(name, [...(byMatch.get(name) ?? []), shown(event)]);
    }
    assert.deepEqual(Object.fromEntries(byMatch), PLAYED);
  });

  it('belongs to the league from the built-in list, with the rules of that league', async () => {
    const { rows } = await bench.db.pool.query(
      'SELECT name, name_ru, tier, rules IS NOT NULL AS ruled FROM tournament',
    );
    assert.deepEqual(rows, [{ name: 'Bundesliga', name_ru: 'Немецкая Бундеслига', tier: 1, ruled: true }]);
  });

  it('ends with the same cards as the source', async () => {
    const { rows } = await bench.db.pool.query<{ id: number }>('SELECT id FROM match ORDER BY id');
    const cards = await Promise.all(rows.map(({ id }) => bench.card(id)));
    const periods = (card: Card) => card.extra.period_scores.map(({ home, away }) => `${home}:${away}`).join(' ');
    assert.deepEqual(
      cards.map(
        (card) => `${card.status_detail} ${card.participants.map(({ score }) => score).join(':')} (${periods(card)})`,
      ),
      [
        'ended 2:0 (1:0 1:0)',
        'ended 1:1 (1:0 0:1)',
        'ended 0:1 (0:1 0:0)',
        'ended 1:0 (0:0 1:0)',
        'ended 0:1 (0:1 0:0)',
        'ended 1:1 (0:0 1:1)',
        'ended 0:0 (0:0 0:0)',
        'ended 0:1 (0:1 0:0)',
        'ended 1:0 (1:0 0:0)',
      ],
    );
  });

  it('stays within the daily budget, and asks for a matchday only after it has changed', async () => {
    const { rows } = await bench.db.pool.query<{ requests: number }>(
      "SELECT requests FROM source_budget WHERE source = 'openligadb'",
    );
    const counted = source.asked.filter((path) => !path.startsWith('/getlastchangedate'));
    assert.deepEqual(rows, [{ requests: counted.length }]);
    assert.ok(counted.length < 200, `${counted.length} requests`);
  });
});
