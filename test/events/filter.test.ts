import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EVERYTHING, type EventFilter, FilterError, filterKey, parseFilter, passes } from '../../src/events/filter.ts';
import { EVENT_TYPES } from '../../src/wire/event-types.ts';

const SPORTS = ['football', 'tennis', 'ice-hockey'];
const parse = (query: Parameters<typeof parseFilter>[0]) => parseFilter(query, new Set(SPORTS));
const fault = (parameter: string, query: Parameters<typeof parseFilter>[0]) =>
  assert.throws(
    () => parse(query),
    (error) => error instanceof FilterError && error.parameter === parameter && error.message.length < 300,
  );
const event = (over = {}) => ({
  sport: 'football',
  tournamentId: 7,
  type: 'match.goal',
  envelope: '{}',
  ...over,
});

describe('filters', () => {
  it('a filter without values lets everything through', () => {
    assert.deepEqual(parse({}), EVERYTHING);
    assert.ok(passes(EVERYTHING, event()));
  });

  it('let through events that match all parameters', () => {
    const filter = parse({ sport: 'football,tennis', league: '7,8', event_type: 'match.goal' });
    assert.ok(passes(filter, event()));
    assert.ok(passes(filter, event({ sport: 'tennis', tournamentId: 8 })));
    assert.ok(!passes(filter, event({ sport: 'ice-hockey' })));
    assert.ok(!passes(filter, event({ tournamentId: 9 })));
    assert.ok(!passes(filter, event({ type: 'match.goal_cancelled' })));
  });

  it('accept a prefix for all event types that begin with it', () => {
    const filter = parse({ event_type: 'match.*' });
    assert.deepEqual(filter.types, ['match.']);
    assert.ok(passes(filter, event({ type: 'match.card' })));
    assert.ok(!passes(filter, event({ type: 'webhook.ping' })));
  });

  it('are equal if they have the same values, however they are written', () => {
    const key = (query: Parameters<typeof parseFilter>[0]) => filterKey(parse(query));
    assert.equal(key({ sport: 'tennis,football' }), key({ sport: ' football , tennis,football ' }));
    assert.equal(key({ league: '7,10,9' }), key({ league: '10, 9,7,7' }));
    assert.deepEqual(parse({ league: '10,9' }).leagues, [9, 10]);
    assert.equal(key({ event_type: 'match.card,match.*,match.goal' }), key({ event_type: 'match.*' }));
    assert.notEqual(key({ sport: 'football' }), key({ sport: 'football', event_type: 'match.*' }));
  });

  it('name the wrong parameter if they are invalid', () => {
    for (const sport of ['', ',', 'football,', 'Football', 'cricket', 'football;tennis', '__proto__'])
      fault('sport', { sport });
    for (const league of ['', '0', '-1', '1.5', '1e3', 'x', '0x10', '9007199254740992', '7,,8', '７'])
      fault('league', { league });
    for (const event_type of [
      '',
      '*',
      '.*',
      'goal',
      'match',
      'match.',
      'match.*.*',
      'match.g*',
      'm.*',
      'Match.goal',
      'constructor',
    ]) {
      fault('event_type', { event_type });
    }
    assert.throws(() => parse({ sport: 'cricket' }), /known sports are football, tennis, ice-hockey/);
  });

  it('have at most 200 values for a parameter', () => {
    const numbers = Array.from({ length: 201 }, (_, index) => index + 1);
    assert.equal(parse({ league: numbers.slice(1).join() }).leagues.length, 200);
    fault('league', { league: numbers.join() });
    fault('league', { league: ','.repeat(16_000) });
    fault('sport', { sport: 'x'.repeat(16_000) });
  });

  it('either refuse a text or give the same filter after a round trip, for any text', () => {
    const words = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom(...SPORTS, '7', '8', 'match.goal', 'match.*', 'webhook.*', ' ', '', '%00', "'"), {
          maxLength: 6,
        })
        .map((list) => list.join()),
    );
    fc.assert(
      fc.property(
        fc.option(words, { nil: undefined }),
        fc.option(words, { nil: undefined }),
        fc.option(words, { nil: undefined }),
        (sport, league, event_type) => {
          let filter: EventFilter;
          try {
            filter = parse({ sport, league, event_type });
          } catch (error) {
            assert.ok(error instanceof FilterError);
            return;
          }
          const again = parse({
            ...(filter.sports.length > 0 && { sport: filter.sports.join() }),
            ...(filter.leagues.length > 0 && { league: filter.leagues.join() }),
            ...(filter.types.length > 0 && {
              event_type: filter.types.map((type) => (type.endsWith('.') ? `${type}*` : type)).join(),
            }),
          });
          assert.deepEqual(again, filter);
          assert.equal(filterKey(again), filterKey(filter));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('let an event through if and only if every parameter does', () => {
    const some = <T>(...values: T[]) => fc.subarray(values);
    const types = Object.keys(EVENT_TYPES);
    fc.assert(
      fc.property(
        some(...SPORTS),
        some(1, 2, 3),
        some('match.goal', 'match.card', 'match.*', 'webhook.*'),
        fc.record({
          sport: fc.constantFrom(...SPORTS),
          tournamentId: fc.constantFrom(1, 2, 3, 4),
          type: fc.constantFrom(...types),
          envelope: fc.constant('{}'),
        }),
        (sports, leagues, kinds, one) => {
          const text = (list: readonly unknown[]) => (list.length === 0 ? undefined : list.join());
          const filter = parse({ sport: text(sports), league: text(leagues), event_type: text(kinds) });
          const wanted =
            (sports.length === 0 || sports.includes(one.sport)) &&
            (leagues.length === 0 || leagues.includes(one.tournamentId)) &&
            (kinds.length === 0 ||
              kinds.some(
                (kind) => kind === one.type || (kind.endsWith('*') && one.type.startsWith(kind.slice(0, -1))),
              ));
          assert.equal(passes(filter, one), wanted);
        },
      ),
    );
  });
});
