import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/variable.ts';
import { precedenceVariables } from '../../src/identity/config.ts';
import { BLOCKS, BUILT_IN, type Precedence } from '../../src/identity/precedence.ts';
import { IMPORTERS } from '../../src/importers/formats.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';

const SHIPPED = readFileSync(new URL('../../data/precedence.yaml', import.meta.url), 'utf8');
const { rankOf } = BUILT_IN;
const providers = parse(SHIPPED).history as string[];

describe('precedence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-precedence-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('gives no two history sources the same rank in a block, and ranks live feeds before all of them', () => {
    for (const block of [undefined, ...BLOCKS]) {
      const ranks = providers.map((provider) => rankOf(provider, block));
      assert.equal(new Set(ranks).size, ranks.length, block);
      assert.ok(ranks.every((rank) => rankOf('a-live-feed', block) < rank));
    }
  });

  it('lists every importer', () => {
    assert.deepEqual(
      IMPORTERS.map(({ provider }) => provider).filter((provider) => BUILT_IN.isLive(provider)),
      // These two have the same ids as their pollers, which are live.
      ['euroleague', 'nhl'],
    );
  });

  it('ranks a source with half-time scores before one with only the score', () => {
    assert.ok(rankOf('wyscout', 'state') < rankOf('openfootball', 'state'));
    assert.ok(rankOf('wyscout', 'state') < rankOf('openfootball-text', 'state'));
    assert.ok(rankOf('football-datasets', 'state') < rankOf('wyscout', 'state'));
  });

  it('ranks a source with kick-off times before one with only days', () => {
    for (const dated of ['football-datasets', 'international-results', 'schochastics', 'fivethirtyeight']) {
      for (const timed of ['football-data', 'openfootball', 'openfootball-text', 'fjelstul', 'wyscout']) {
        assert.ok(rankOf(timed, 'start') < rankOf(dated, 'start'));
      }
    }
  });

  const file = (text: string) => {
    const path = join(folder, 'precedence.yaml');
    writeFileSync(path, text);
    return path;
  };
  const read = (text: string): Precedence =>
    readConfig({ PRECEDENCE_FILE: file(text) }, precedenceVariables).precedence;
  const faults = (text: string): string[] => {
    try {
      read(text);
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.faults;
    }
    throw new Error('no fault');
  };
  const orderIn = (precedence: Precedence, names: readonly string[], block?: (typeof BLOCKS)[number]) =>
    names.toSorted((a, b) => precedence.rankOf(a, block) - precedence.rankOf(b, block));

  it('is the built-in order without a file, and with a copy of that order', () => {
    const copied = read(SHIPPED);
    for (const precedence of [readConfig({}, precedenceVariables).precedence, copied, read('# nothing\n')]) {
      for (const block of [undefined, ...BLOCKS])
        assert.deepEqual(orderIn(precedence, providers, block), orderIn(BUILT_IN, providers, block));
      assert.deepEqual(precedence.attributions, BUILT_IN.attributions);
    }
  });

  it('can be set by a file for feeds, history and single blocks, and omitted keys keep the default', () => {
    const changed = read(`
live: [acme, bravo]
blocks: { odds: [bravo, wyscout, fivethirtyeight], statistics: [fivethirtyeight] }
attributions: { acme: Data by Acme Ltd }
`);
    const names = ['fivethirtyeight', 'a-live-feed', 'bravo', 'touchline', 'acme', 'wyscout'];
    assert.deepEqual(orderIn(changed, names), [
      'acme',
      'bravo',
      'a-live-feed',
      'touchline',
      'wyscout',
      'fivethirtyeight',
    ]);
    assert.deepEqual(orderIn(changed, names, 'odds'), [
      'bravo',
      'acme',
      'a-live-feed',
      'wyscout',
      'fivethirtyeight',
      'touchline',
    ]);
    assert.ok(changed.rankOf('fivethirtyeight', 'statistics') < changed.rankOf('touchline', 'statistics'));
    assert.equal(changed.rankOf('one-feed'), changed.rankOf('another-feed'));
    assert.deepEqual(
      ['acme', 'a-live-feed', 'wyscout'].map((name) => changed.isLive(name)),
      [true, true, false],
    );
    const attribution = (provider: string) =>
      changed.attributions.find((one) => one.provider === provider)?.attribution;
    assert.deepEqual([attribution('acme'), attribution('openfootball')], ['Data by Acme Ltd', 'openfootball, CC0']);
  });

  it('treats polled sources as live, after every feed, even if a file from an earlier release lists them under history', () => {
    assert.deepEqual(orderIn(BUILT_IN, ['touchline', 'openligadb', 'a-live-feed', 'nhl']), [
      'a-live-feed',
      'nhl',
      'openligadb',
      'touchline',
    ]);
    assert.deepEqual(
      ['nhl', 'openligadb', 'a-live-feed', 'touchline'].map((name) => BUILT_IN.isLive(name)),
      [true, true, true, false],
    );
    const earlier = read(`history: [${[...providers, 'nhl', 'euroleague'].join(', ')}]\nblocks: {}`);
    assert.deepEqual([earlier.isLive('nhl'), earlier.isLive('openligadb')], [false, true]);
  });

  const BAD: [name: string, text: string, expected: RegExp[]][] = [
    ['an unknown key', 'livee: [acme]', [/^PRECEDENCE: Unrecognized key: "livee"/]],
    ['an unknown block', 'blocks: { strat: [wyscout] }', [/^PRECEDENCE\.blocks\.strat: is not a block; blocks are sides, start,/]],
    ['a provider twice', 'live: [acme, bravo, acme]', [/^PRECEDENCE\.live\.2: acme is listed twice$/]],
    ['corrections by hand', 'live: [acme, operator]', [/^PRECEDENCE\.live\.1: operator always comes first, so it cannot be listed$/]],
    ['a provider twice in a block', 'blocks: { odds: [wyscout, wyscout] }', [/^PRECEDENCE\.blocks\.odds\.1: wyscout is listed twice$/]],
    ['a provider in both', 'live: [wyscout]', [/^PRECEDENCE\.live\.0: wyscout is also listed in history$/]],
    ['a provider nowhere', 'blocks: { odds: [wyscuot] }', [/^PRECEDENCE\.blocks\.odds\.0: wyscuot must also be listed in live, polled or history$/]],
    ['a polled source in both', 'live: [nhl]\npolled: [nhl, wyscout]', [/^PRECEDENCE\.polled\.0: nhl is also listed in live$/, /^PRECEDENCE\.polled\.1: wyscout is also listed in history$/]],
    ['no provider', 'live: [Acme Ltd]', [/^PRECEDENCE\.live\.0: must be lower-case letters/]],
    ['an importer that is not listed', `history: [${providers.filter((one) => one !== 'wyscout' && one !== 'fjelstul').join(', ')}]\nblocks: {}`,
      [/^PRECEDENCE\.history: fjelstul is missing/, /^PRECEDENCE\.history: wyscout is missing/]],
    ['a list', '- acme', [/^PRECEDENCE: .*expected object/]],
    ['text', 'acme', [/^PRECEDENCE: .*expected object/]],
    ['another shape', 'live: { acme: 1 }\nattributions: [a]', [/^PRECEDENCE\.live: .*expected array/, /^PRECEDENCE\.attributions: .*expected record/]],
    ['no YAML', 'live: [acme\nhistory: ]', [/^PRECEDENCE: not YAML: /]],
    ['a key twice', 'live: [acme]\nlive: [bravo]', [/^PRECEDENCE: not YAML: Map keys must be unique at line/]],
  ]; // biome-ignore format: a table
  for (const [name, text, expected] of BAD) {
    it(`is refused at the start from a file with an error (${name}), with each error’s position`, () => {
      const found = faults(text);
      for (const one of expected)
        assert.ok(
          found.some((fault) => one.test(fault)),
          found.join('\n'),
        );
    });
  }

  it('causes an error if its file is missing', () => {
    assert.throws(
      () => readConfig({ PRECEDENCE_FILE: join(folder, 'none.yaml') }, precedenceVariables),
      /PRECEDENCE_FILE: cannot read/,
    );
  });

  describe('the configured order', () => {
    let bench: FeedBench;
    before(async () => {
      bench = await openFeedBench();
    });
    after(() => bench.db.drop());
    beforeEach(() => bench.nextMatch());

    it('applies from the next update on, and a source that now ranks higher takes over a field with its next update', async () => {
      const bravo = { provider: 'bravo' };
      const id = await bench.accept({ referee: 'By acme' }, { provider: 'acme' });
      const say = () => bench.feed(bench.update({ id: bench.other(), referee: 'By bravo' }, bravo));
      bench.deps.config = { precedence: read('live: [acme, bravo]') };
      assert.equal((await say())[0]!.outcome, 'unchanged');
      bench.deps.config = { precedence: read('live: [acme, bravo]\nblocks: { referee: [bravo] }') };
      assert.equal((await bench.card(id)).referee, 'By acme');
      assert.equal((await say())[0]!.outcome, 'accepted');
      assert.equal((await bench.card(id)).referee, 'By bravo');
      await bench.feed(bench.update({ referee: 'By acme again' }, { provider: 'acme' }));
      assert.equal((await bench.card(id)).referee, 'By bravo', 'a worse rank, however new');
      bench.deps.config = { precedence: BUILT_IN };
      await bench.accept({ referee: 'By acme again' }, { provider: 'acme' });
      assert.equal((await bench.card(id)).referee, 'By acme again', 'of two that rank alike the newer word');
    });
  });
});
