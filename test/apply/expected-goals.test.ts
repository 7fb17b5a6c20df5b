/** Tests the expected goals and the momentum that we compute for stored matches. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyUpdates } from '../../src/apply/apply.ts';
import { linkPlayers } from '../../src/apply/player-links/link-players.ts';
import { refreshStoredFigures } from '../../src/apply/upkeep/refresh-figures.ts';
import { feedUpdate } from '../../src/wire/feed-update.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';
import { LONG_FORMS } from '../support/long-forms.ts';

type Shot = NonNullable<MatchFields['shotmap']>[number];

const STRIKER = { id: 'p9', name: 'Striker' };
const shot = (over: Partial<Shot> = {}): Shot => ({
  player: STRIKER,
  side: 'home',
  minute: 12,
  xg: null,
  shotType: 'miss',
  situation: 'regular',
  bodyPart: 'right_foot',
  x: 89,
  y: 50,
  ...over,
});
const PENALTY = shot({ situation: 'penalty', side: 'away', minute: 40, player: { name: 'Salah M.' } });
const SHOTS = [shot(), PENALTY];
/** The expected goals for `SHOTS`. */
const [FROM_PLAY, FROM_THE_SPOT] = [0.2204, 0.7169];
const figure = (stat_name: string, home_value: number, away_value: number) => ({
  period: 'ALL',
  group_name: null,
  stat_name,
  home_value,
  away_value,
  home_text: null,
  away_text: null,
});
const ATTRIBUTION =
  'Expected goals and momentum by Touchline, with a model fitted to Pappalardo, L., Massucco, E. (2019) Soccer match event dataset, CC BY 4.0';

describe('computed expected goals', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
    const list = JSON.stringify([{ provider: 'touchline-xg', attribution: ATTRIBUTION }]);
    await bench.db.pool.query(
      `INSERT INTO source_attribution SELECT * FROM json_populate_recordset(NULL::source_attribution, $1) ON CONFLICT DO NOTHING`,
      [list],
    );
  });
  after(() => bench.db.drop());
  beforeEach(async () => {
    await bench.events();
    bench.nextMatch();
  });

  const shown = async (id: number) => {
    const { shotmap, statistics, player_stats, momentum, meta } = await bench.card(id);
    return {
      xg: shotmap?.map(({ xg }) => xg),
      team: statistics?.filter(({ stat_name }) => /xg|expected/i.test(stat_name)),
      players: player_stats?.map(({ player_name, stats }) => [player_name, stats.expected_goals]),
      minutes: momentum?.graphPoints.length,
      isOurs: meta.sources.includes(ATTRIBUTION),
    };
  };
  const NOTHING = { xg: [null, null], team: undefined, players: undefined, minutes: undefined, isOurs: false };

  it('appear for shots, sides and players, with momentum, if the feed gives only shots', async () => {
    const id = await bench.accept({ status: 'live', shotmap: SHOTS });
    assert.deepEqual(await shown(id), {
      xg: [FROM_PLAY, FROM_THE_SPOT],
      team: [
        {
          period: 'ALL',
          group_name: 'Match overview',
          stat_name: 'Expected goals',
          home_value: 0.22,
          away_value: 0.72,
          home_text: '0.22',
          away_text: '0.72',
        },
      ],
      players: [
        ['Striker', 0.22],
        ['Salah M.', 0.72],
      ],
      minutes: 40,
      isOurs: true,
    });
    assert.deepEqual(types(await bench.events()), ['match.created', 'match.statistics_updated']);
    const before = await bench.footprint(id);
    assert.equal((await bench.feed(bench.update({ status: 'live', shotmap: SHOTS })))[0]!.outcome, 'unchanged');
    assert.deepEqual(await bench.footprint(id), before);
  });

  it('do not replace a provider’s figures and momentum, and are added for players', async () => {
    const id = await bench.accept({ statistics: [figure('Shots', 1, 1)] });
    await bench.accept({
      shotmap: SHOTS,
      momentum: { graphPoints: [{ minute: 1, value: 5 }] },
      player_stats: [
        { player: STRIKER, side: 'home', position: 'F', stats: { touches: 44 } },
        { player: { name: 'Keeper' }, side: 'home', position: 'G', stats: {} },
      ],
    });
    const { statistics, player_stats, momentum } = await bench.card(id);
    assert.deepEqual(
      statistics!.map(({ stat_name }) => stat_name),
      ['Expected goals', 'Shots'],
    );
    assert.deepEqual(
      player_stats!.map(({ stats }) => stats),
      [{ touches: 44, expected_goals: 0.22 }, { expected_goals: 0 }],
    );
    assert.deepEqual(momentum!.graphPoints, [{ minute: 1, value: 5 }]);
    const before = await bench.footprint(id);
    for (const same of [{ statistics: [figure('Shots', 1, 1)] }, { momentum }])
      assert.equal((await bench.feed(bench.update(same)))[0]!.outcome, 'unchanged');
    assert.deepEqual(await bench.footprint(id), before);
  });

  it('are all computed again if shots are corrected, and disappear if the shots are removed', async () => {
    const id = await bench.accept({ status: 'live', shotmap: SHOTS, statistics: [figure('Shots', 1, 1)] });
    await bench.accept({ shotmap: [shot(), { ...PENALTY, situation: 'regular', x: 70 }] });
    const { xg, team, players } = await shown(id);
    assert.deepEqual([team![0]!.home_value, team![0]!.away_value], [0.22, 0.02]);
    assert.deepEqual([xg, players![1]![1]], [[FROM_PLAY, 0.0171], 0.02]);
    await bench.accept({ shotmap: [] });
    const card = await bench.card(id);
    assert.deepEqual([card.shotmap, card.player_stats, card.momentum], [[], undefined, undefined]);
    assert.deepEqual(card.statistics, [figure('Shots', 1, 1)]);
    assert.ok(!card.meta.sources.includes(ATTRIBUTION));
  });

  it('disappear if a provider gives expected goals anywhere in the card, and return when the provider’s figures are removed', async () => {
    const id = await bench.accept({ shotmap: SHOTS });
    const ours = await shown(id);
    for (const name of ['Expected goals', 'xG', 'Expected goals (xG)', 'npxG', 'Non-shot expected goals']) {
      await bench.accept({ statistics: [figure(name, 1.5, 0.5)] });
      assert.deepEqual(await shown(id), { ...NOTHING, team: [figure(name, 1.5, 0.5)] }, name);
      await bench.accept({ statistics: [] });
      assert.deepEqual(await shown(id), ours, name);
    }
    await bench.accept({
      player_stats: [{ player: STRIKER, side: 'home', position: null, stats: { expectedGoals: 1 } }],
    });
    assert.deepEqual(await shown(id), { ...NOTHING, team: [], players: [['Striker', undefined]] });
    await bench.accept({ player_stats: [], shotmap: [shot({ xg: 0.5 }), PENALTY] });
    assert.deepEqual(await shown(id), { ...NOTHING, xg: [0.5, null], team: [], players: [] });
    await bench.accept({ statistics: [figure('Shots', 1, 1)] });
    assert.deepEqual((await shown(id)).xg, [0.5, null], 'figures of a provider survive updates of other blocks');
    await bench.accept({ statistics: [] });
    await bench.accept({ shotmap: SHOTS });
    assert.deepEqual(await shown(id), { ...ours, players: [] });
  });

  it("disappear if another provider gives expected goals for the match's sides, unless its figure names a model", async () => {
    const id = await bench.accept({ shotmap: SHOTS });
    const say = async (statistics: MatchFields['statistics']) => {
      const update = bench.update({ id: bench.other(), statistics }, { provider: 'fivethirtyeight' });
      await applyUpdates(bench.deps, [feedUpdate.parse(update)], { events: false });
      return shown(id);
    };
    const beside = await say([figure('Expected goals (FiveThirtyEight)', 1.5, 0.5)]);
    assert.deepEqual(
      beside.team!.map(({ stat_name, home_value }) => [stat_name, home_value]),
      [
        ['Expected goals', 0.22],
        ['Expected goals (FiveThirtyEight)', 1.5],
      ],
    );
    assert.deepEqual((await say([figure('Expected goals', 1.5, 0.5)])).xg, [null, null]);
  });

  it('are shown for single shots, but not summed, if any shot lacks coordinates', async () => {
    const id = await bench.accept({ shotmap: [shot(), shot({ x: null }), PENALTY] });
    assert.deepEqual(await shown(id), { ...NOTHING, xg: [FROM_PLAY, null, FROM_THE_SPOT], isOurs: true });
    bench.nextMatch();
    const none = await bench.accept({ shotmap: [shot({ y: null }), shot({ x: null, y: null })] });
    assert.deepEqual(await shown(none), NOTHING);
    bench.nextMatch();
    const empty = await bench.accept({ shotmap: [] });
    assert.deepEqual(await shown(empty), { ...NOTHING, xg: [] });
  });

  it('leave out own goals and shoot-out kicks', async () => {
    const kick = shot({ situation: 'shootout', minute: 120 });
    const id = await bench.accept({ status: 'finished', shotmap: [...SHOTS, shot({ shotType: 'own_goal' }), kick] });
    const { xg, team, players, minutes } = await shown(id);
    assert.deepEqual(xg, [FROM_PLAY, FROM_THE_SPOT, null, null]);
    assert.deepEqual([team![0]!.home_value, players![0], minutes], [0.22, ['Striker', 0.22], 90]);
  });

  it('are not computed from coordinates outside the pitch, which are refused and leave the match unchanged', async () => {
    await bench.accept({ shotmap: SHOTS });
    for (const over of [{ x: 101 }, { y: -1 }, { x: Number.POSITIVE_INFINITY }])
      assert.throws(() => feedUpdate.parse(bench.update({ shotmap: [shot(over)] })), /shotmap/u);
  });

  it('extend the momentum to full time when the match ends, even if that update has no shots', async () => {
    const id = await bench.accept({ status: 'live', shotmap: SHOTS });
    await bench.accept({ status: 'finished', score: { home: 0, away: 0 } });
    assert.equal((await shown(id)).minutes, 90);
    assert.equal((await bench.card(id)).meta.completeness.momentum, 'full');
  });

  it('get a link to a player when the player’s name is linked later', async () => {
    const id = await bench.accept({ shotmap: SHOTS });
    await linkPlayers(bench.deps);
    const { shotmap, player_stats } = await bench.card(id);
    const [, penalty] = shotmap!;
    assert.ok(penalty!.player.id !== null);
    assert.equal(player_stats![1]!.participant_id, penalty!.player.id);
    const before = await bench.footprint(id);
    assert.equal((await bench.feed(bench.update({ shotmap: SHOTS })))[0]!.outcome, 'unchanged');
    assert.deepEqual(await bench.footprint(id), before);
  });

  it('are computed by a job for matches from an earlier release, and again if their version is older', async () => {
    const id = await bench.accept({ status: 'finished', score: { home: 0, away: 0 }, shotmap: SHOTS });
    const current = await shown(id);
    bench.nextMatch();
    const theirs = await bench.accept({ shotmap: [shot({ xg: 0.5 })] });
    await bench.db.pool.query(
      `UPDATE match SET provenance = (SELECT jsonb_object_agg(key, value) FROM jsonb_each(provenance) WHERE key NOT LIKE 'expected_goals%')
       WHERE id = ANY ($1)`,
      [[id, theirs]],
    );
    await bench.db.pool.query("DELETE FROM match_block WHERE match_id = $1 AND block <> 'shotmap'", [id]);
    await bench.db.pool.query(
      `UPDATE match_block SET json = regexp_replace(json, '"xg":[0-9.]+', '"xg":null', 'g') WHERE match_id = $1`,
      [id],
    );
    await bench.events();
    assert.equal((await shown(id)).xg![0], null);
    const mentions = async () => {
      const { rows } = await bench.db.pool.query('SELECT block, name FROM player_mention WHERE match_id = $1', [id]);
      return rows;
    };
    assert.deepEqual(await mentions(), [{ block: 'shotmap', name: 'Salah M.' }]);
    const refresh = () => refreshStoredFigures(bench.deps, async () => undefined);
    bench.published.length = 0;
    assert.equal(await refresh(), 1);
    assert.deepEqual(await shown(id), current);
    assert.deepEqual([bench.published, await bench.events()], [[id], []]);
    assert.deepEqual(await mentions(), [{ block: 'shotmap', name: 'Salah M.' }], 'the name can still be linked');
    const kept = await bench.footprint(theirs);
    assert.equal(await refresh(), 0);
    await bench.db.pool.query(
      `UPDATE match SET provenance = jsonb_set(provenance, '{expected_goals,1}', '1') WHERE id = $1`,
      [id],
    );
    await bench.db.pool.query(
      "UPDATE match_block SET json = replace(json, '0.7169', '0.9') WHERE match_id = $1 AND block = 'shotmap'",
      [id],
    );
    assert.equal((await shown(id)).xg![1], 0.9);
    assert.equal(await refresh(), 1);
    assert.deepEqual(await shown(id), current);
    assert.deepEqual(await bench.footprint(theirs), kept);
  });

  it('are kept for the matches that a job finished before it was aborted', async () => {
    await bench.accept({ shotmap: SHOTS });
    await bench.db.pool.query("UPDATE match SET provenance = jsonb_set(provenance, '{expected_goals,1}', '1')");
    const stopped = new Error('stopped');
    await assert.rejects(
      refreshStoredFigures(bench.deps, () => Promise.reject(stopped)),
      stopped,
    );
    await refreshStoredFigures(bench.deps, async () => undefined);
    const { rows } = await bench.db.pool.query(
      "SELECT FROM match WHERE provenance #>> '{expected_goals,1}' = '1' AND provenance ? 'shotmap'",
    );
    assert.equal(rows.length, 0);
  });

  it('are the same for imported shots as for shots from a feed', async () => {
    const update = bench.update(
      { status: 'finished', score: { home: 0, away: 0 }, shotmap: SHOTS },
      { provider: 'wyscout' },
    );
    const importing = () => applyUpdates(bench.deps, [feedUpdate.parse(update)], { events: false });
    const [result] = await importing();
    const { xg, team, isOurs } = await shown(result!.matchId!);
    assert.deepEqual([xg, team![0]!.away_value, isOurs], [[FROM_PLAY, FROM_THE_SPOT], 0.72, true]);
    assert.equal((await importing())[0]!.outcome, 'unchanged');
  });

  it('are the same whether blocks change one at a time or all at once, for random blocks', async function () {
    this.timeout(120_000);
    const given = shot({ xg: 0.31 });
    const played = (stats: Record<string, number>) => [
      { player: STRIKER, side: 'home' as const, position: 'F', stats },
    ];
    const graph = (value: number) => ({ graphPoints: [{ minute: 1, value }] });
    const WITH_GOALS = [figure('Shots', 3, 2), figure('xG', 1.2, 0.1)];
    const PLAYED = played({ touches: 45, xg: 0.3 });
    const VARIANTS = {
      shotmap: [SHOTS, [shot(), PENALTY, shot({ minute: 77 })], [given], []],
      statistics: [[figure('Shots', 3, 1)], WITH_GOALS, []],
      player_stats: [played({ touches: 44 }), PLAYED, []],
      momentum: [graph(5), graph(6)],
    } satisfies { [Block in keyof MatchFields]: MatchFields[Block][] };
    const names = Object.keys(VARIANTS) as (keyof typeof VARIANTS)[];
    const step = fc
      .constantFrom(...names)
      .chain((name) => fc.constantFrom(...VARIANTS[name]).map((block) => ({ [name]: block })));
    const figures = async (id: number) => {
      const { shotmap, statistics, player_stats, momentum } = await bench.card(id);
      const players = player_stats?.map(({ player_name, stats }) => [player_name, stats]);
      return { shots: shotmap?.map(({ xg }) => xg), statistics, players, momentum, isOurs: (await shown(id)).isOurs };
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 9 }), async (steps) => {
        bench.nextMatch();
        const first = await bench.accept({ status: 'live', shotmap: SHOTS });
        for (const one of steps) await bench.feed(bench.update(one as MatchFields));
        bench.nextMatch();
        const whole = Object.assign({ status: 'live', shotmap: SHOTS }, ...steps) as MatchFields;
        assert.deepEqual(await figures(first), await figures(await bench.accept(whole)));
      }),
      {
        numRuns: LONG_FORMS ? 600 : 60,
        // The provider sends expected goals in two blocks, and then removes them from both.
        examples: [[[{ statistics: WITH_GOALS }, { player_stats: PLAYED }, { statistics: [] }, { player_stats: [] }]]],
      },
    );
  });

  it('do not depend on the order in which sources are imported', async () => {
    const parts: [provider: string, match: MatchFields][] = [
      ['wyscout', { shotmap: SHOTS, player_stats: [{ player: STRIKER, side: 'home', position: 'F', stats: {} }] }],
      ['football-datasets', { status: 'finished', score: { home: 0, away: 0 }, statistics: [figure('Fouls', 9, 8)] }],
      ['fivethirtyeight', { statistics: [figure('Expected goals (FiveThirtyEight)', 1.5, 0.5)] }],
      ['schochastics', { momentum: { graphPoints: [] } }],
    ];
    const cards = new Set<string>();
    for (const order of permutations(parts)) {
      bench.nextMatch();
      let id = 0;
      for (const [provider, match] of order) {
        const update = bench.update({ id: bench.other(), ...match }, { provider });
        const [result] = await applyUpdates(bench.deps, [feedUpdate.parse(update)], { events: false });
        id = result!.matchId!;
      }
      const { shotmap, statistics, player_stats, momentum, meta } = await bench.card(id);
      const { completeness, sources } = meta;
      const striker = player_stats!.map(({ stats }) => stats);
      const xg = shotmap!.map((one) => one.xg);
      cards.add(JSON.stringify({ xg, statistics, striker, momentum, completeness, sources: sources.toSorted() }));
    }
    assert.equal(cards.size, 1, [...cards].join('\n'));
    assert.match([...cards][0]!, /"stat_name":"Expected goals","home_value":0.22/u);
  });
});

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries())
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
}
