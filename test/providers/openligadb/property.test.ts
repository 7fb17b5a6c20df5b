/**
 * Whatever users enter and the source replies, updates are valid, a finished match stays finished, and the last entries
 * win.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Known } from '../../../src/providers/openligadb/known-matches.ts';
import { provider as openligadb } from '../../../src/providers/openligadb/provider.ts';
import type { Reading } from '../../../src/providers/provider.ts';
import { feedUpdate } from '../../../src/wire/feed-update.ts';
import { type EnteredMatch, enterGoal, enterMatch, enterResult } from '../../support/openligadb.ts';

const START = Date.parse('2026-11-21T14:30:00Z');
const POLL_MS = 20_000;
const PATH = '/getmatchdata/bl1/2026/11';

type Entry = (match: EnteredMatch) => EnteredMatch | undefined;

const small = fc.integer({ min: 0, max: 4 });
const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.tuple(small, small, fc.option(fc.integer({ min: 0, max: 130 })), fc.boolean()).map(
    ([home, away, minute, isOwnGoal]): Entry =>
      (match) => {
        enterGoal(match, `${home}:${away}`, minute, minute === null ? null : 'A. Player', { isOwnGoal });
        return undefined;
      },
  ),
  small.map(
    (index): Entry =>
      (match) =>
        void match.goals.splice(index, 1),
  ),
  fc.tuple(fc.constantFrom(1, 2, 3, 4), small, small).map(
    ([type, home, away]): Entry =>
      (match) =>
        enterResult(match, type as 1 | 2 | 3 | 4, `${home}:${away}`) as undefined,
  ),
  fc.constant<Entry>((match) => void Object.assign(match, { matchResults: [] })),
  fc.boolean().map(
    (matchIsFinished): Entry =>
      (match) =>
        void Object.assign(match, { matchIsFinished }),
  ),
  fc.constant<Entry>(() => enterMatch(['FC Bayern München', 'VfB Stuttgart'], START)),
);
/** A reply that differs from the current one. */
const nonsense = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>([], null, [null], [{}], 'x', { matchID: 1 }));

describe('any entries by OpenLigaDB users', () => {
  it('give valid updates, never reopen a finished match, and end with what was entered last', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(entry, fc.option(nonsense, { freq: 4 }), fc.integer({ min: 1, max: 8 })), { maxLength: 40 }),
        fc.tuple(small, small),
        (steps, [home, away]) => {
          let known = openligadb.start('bl1') as Known;
          let match = enterMatch(['FC Bayern München', 'VfB Stuttgart'], START);
          let now = START - 60_000;
          let status = 'scheduled';
          let score: unknown;
          const read = (body: unknown) => {
            const reply = { path: PATH, body: structuredClone(body), receivedAt: now, sourceTime: null };
            const reading = openligadb.updates(reply, known) as Reading<Known> | string;
            if (typeof reading === 'string') return;
            known = JSON.parse(JSON.stringify(reading.known)) as Known;
            for (const update of reading.updates) {
              feedUpdate.parse({ schema: 1, provider: 'openligadb', observed_at: '2026-11-21T14:30:00Z', ...update });
              assert.ok(update.kind === 'match');
              if (update.match.status !== undefined) {
                assert.ok(status !== 'finished' || update.match.status === 'finished', 'an end stays');
                status = update.match.status;
              }
              score = update.match.score ?? score;
              const ids = update.match.incidents?.map(({ id }) => id) ?? [];
              assert.equal(new Set(ids).size, ids.length);
            }
          };
          for (const [enter, wrong, polls] of steps) {
            match = enter(match) ?? match;
            read([match]);
            if (wrong !== null) read(wrong);
            now += polls * POLL_MS;
          }
          // From now on, the entries are right.
          match.matchIsFinished = true;
          match.goals = [];
          match.matchResults = [];
          enterResult(match, 2, `${home}:${away}`);
          for (let poll = 0; poll < 3; poll += 1) {
            now = Math.max(now, START) + POLL_MS;
            read([match]);
          }
          assert.deepEqual([status, score], ['finished', { home, away }]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
