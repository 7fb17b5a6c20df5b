import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PlayedMatch } from '../../src/analytics/samples/match-samples.ts';
import { leagueCounts } from '../../src/analytics/trends/league-counts.ts';
import { CONDITION_KEYS, type ConditionKey, implies, isMet } from '../../src/analytics/trends/trend-conditions.ts';
import { listConditions, shippedTrendRules, trendRules } from '../../src/analytics/trends/trend-rules.ts';
import { boundFor, findTrends, type TrendInput } from '../../src/analytics/trends/trends.ts';
import { findSport, SPORTS } from '../../src/sports/sports.ts';
import { played } from './matches.ts';
import { naiveTrends } from './naive-trends.ts';

/** 100 matches between sides 11 to 30: 30 × 2:1, 20 × 0:0, 20 × 1:1, 20 × 0:1, 10 × 3:2. */
const ORDINARY = Array.from({ length: 100 }, (_, day) => {
  const score = day < 30 ? '2:1' : day < 50 ? '0:0' : day < 70 ? '1:1' : day < 90 ? '0:1' : '3:2';
  return played(1_000 + day, 11 + (day % 20), score, 11 + ((day + 7) % 20));
});
const LEAGUE = leagueCounts(ORDINARY);

/** Makes side 1's matches, alternately at home and away, newest last. Scores have side 1's goals first. */
const season = (...scores: string[]): PlayedMatch[] =>
  scores.map((score, day) => {
    const [own, other] = score.split(':');
    return day % 2 === 0 ? played(day, 1, score, 2 + day) : played(day, 2 + day, `${other}:${own}`, 1);
  });

const trends = (matches: readonly PlayedMatch[], more: Partial<TrendInput> = {}) =>
  findTrends({ sport: 'football', sideId: 1, venues: ['overall', 'home'], matches, league: LEAGUE, ...more });

describe('a side’s trends', () => {
  it('use a base rate counted in the league', () => {
    const both = (count: number) => ({ home: count, away: count });
    assert.equal(LEAGUE.matches, 100);
    assert.deepEqual(LEAGUE.met('won'), { home: 40, away: 20 });
    assert.deepEqual(LEAGUE.met('lost'), { home: 20, away: 40 });
    assert.deepEqual(LEAGUE.met('drawn'), both(40));
    assert.deepEqual(LEAGUE.met('over_2_5'), both(40));
    assert.deepEqual(LEAGUE.met('under_4_5'), both(90));
    assert.deepEqual(LEAGUE.met('btts'), both(60));
    assert.deepEqual(LEAGUE.met('scored_two'), { home: 40, away: 10 });
    assert.deepEqual(LEAGUE.met('conceded'), { home: 80, away: 60 });
    assert.deepEqual(LEAGUE.met('within_0'), both(40));
    // Half of the matches have two goals or more, and half of the sides' scores are one or more.
    assert.deepEqual(LEAGUE.levels, { total: 1, side: 1 });
    assert.deepEqual([leagueCounts([]).levels, leagueCounts([]).met('won')], [null, both(0)]);
  });

  it('use basketball lines that depend on the scores in the league', () => {
    const games = Array.from({ length: 80 }, (_, day) =>
      played(1_000 + day, 11 + (day % 8), `${70 + (day % 20)}:${71 + ((day * 7) % 20)}`, 20 + (day % 9)),
    );
    const league = leagueCounts(games);
    assert.deepEqual(league.levels, { total: 160, side: 80 });
    const found = findTrends({
      sport: 'basketball',
      sideId: 1,
      venues: ['overall'],
      matches: season(...Array.from({ length: 12 }, (_, day) => (day % 2 ? '78:84' : '84:78'))),
      league,
    });
    assert.deepEqual(
      found.map(({ condition }) => condition),
      ['over_160_5'],
    );
    assert.ok(found[0]!.base_rate >= 0.5 && found[0]!.base_rate < 0.6, `${found[0]!.base_rate}`);
    for (const sport of SPORTS.filter(({ slug }) => slug !== 'mma'))
      assert.ok(sport.trends.length > 4, `${sport.slug} has conditions of its own`);
  });

  it('include ten wins in a row with sample, base rate and tail probability, but not equivalent trends', () => {
    const found = trends(season(...Array.from({ length: 10 }, () => '1:0')), { venues: ['overall'] });
    // The trends `unbeaten`, `scored` and `clean sheet` are left out, because they follow from the wins or belong to the same matches.
    assert.deepEqual(
      found.map(({ condition, sample }) => [condition, sample]),
      [['won', { venue: 'overall', last: 10 }]],
    );
    const [won] = found;
    assert.deepEqual([won!.count, won!.matches, won!.event_ids], [10, 10, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]]);
    // Five matches are at home and five away, so the base rate is the mean of 40 % and 20 %.
    assert.equal(won!.base_rate, 0.3);
    assert.ok(Math.abs(won!.tail / 0.3 ** 10 - 1) < 1e-12);
    assert.ok(won!.tail <= won!.bound && won!.bound < shippedTrendRules().chance_level);
  });

  it('use the newest matches in a sample, and only the stronger of two samples for a condition', () => {
    const lost = Array.from({ length: 12 }, () => '0:1');
    const found = trends(season(...lost, ...Array.from({ length: 10 }, () => '1:0')));
    assert.deepEqual(
      found.filter(({ condition }) => condition === 'won').map(({ sample, event_ids }) => [sample.last, event_ids[0]]),
      [[10, 21]],
    );
    assert.equal(found.filter(({ condition }) => condition === 'won').length, 1, 'not at home as well');
  });

  it('count a match at a neutral venue as neither home nor away', () => {
    const won = season(...Array.from({ length: 20 }, () => '1:0'));
    const at = (matches: readonly PlayedMatch[]) =>
      new Set(trends(matches, { venues: ['home', 'away'] }).map(({ sample }) => sample.venue));
    assert.ok(at(won).size > 0);
    assert.deepEqual(at(won.map((match) => ({ ...match, neutral: true }))), new Set());
    assert.ok(
      trends(
        won.map((match) => ({ ...match, neutral: true })),
        { venues: ['overall'] },
      ).length > 0,
    );
  });

  it('omit a condition that is usual in the league, however often the side met it', () => {
    const draws = season(...Array.from({ length: 20 }, () => '0:0'));
    const always = leagueCounts(
      draws
        .map((match) => match)
        .concat(ORDINARY.map((match) => ({ ...match, home_score: 0, away_score: 0, winner: 'draw' as const }))),
    );
    assert.deepEqual(trends(draws, { league: always }), []);
    assert.ok(trends(draws).length > 0);
  });

  it('omit a condition that never or always held in the league', () => {
    const goals = season(...Array.from({ length: 20 }, () => '6:5'));
    const keys = trends(goals, { sport: 'ice-hockey' }).map(({ condition }) => condition);
    // In this league over 5.5, over 6.5 and four goals never occur, but over 4.5 occurs in 10 % of the matches.
    assert.ok(keys.includes('over_4_5') && !keys.some((key) => ['over_5_5', 'over_6_5', 'scored_four'].includes(key)));
  });

  it('are empty if the side has too few matches, if the league is small or empty, or if the sport has no trends', () => {
    const wins = (count: number) => season(...Array.from({ length: count }, () => '4:0'));
    assert.deepEqual(trends(wins(3)), []);
    assert.deepEqual(trends(wins(4)), []);
    assert.ok(trends(wins(8)).length > 0);
    assert.deepEqual(trends([]), []);
    assert.deepEqual(trends(wins(20), { league: leagueCounts([]) }), []);
    assert.deepEqual(trends(wins(20), { league: leagueCounts(ORDINARY.slice(0, 59)) }), []);
    assert.ok(trends(wins(20), { league: leagueCounts(ORDINARY.slice(0, 60)) }).length > 0);
    assert.deepEqual(trends(wins(20), { sport: 'mma' }), []);
    assert.deepEqual(trends(wins(20), { sport: 'constructor' }), []);
  });

  it('omit a rare condition if most of the side’s matches lack it', () => {
    const goals = (share: number) =>
      season(...Array.from({ length: 20 }, (_, day) => (day < share * 20 ? '3:2' : '0:1')));
    const over = (matches: PlayedMatch[]) =>
      trends(matches, { venues: ['overall'] }).find(({ condition }) => condition === 'over_3_5');
    // 9 of 20, with a league rate of 10 %, has a probability of 1 in 10,000.
    assert.equal(over(goals(0.45)), undefined);
    assert.equal(over(goals(0.5))?.count, 10);
  });

  it('ignore matches in which the side did not play, and matches between the side and itself', () => {
    const wins = season(...Array.from({ length: 10 }, () => '1:0'));
    const others = Array.from({ length: 30 }, (_, day) => played(100 + day, 1, '0:3', 1));
    assert.deepEqual(trends([...wins, ...others, ...ORDINARY]), trends(wins));
  });

  it('have only wins and losses in sports without draws', () => {
    const wins = season(...Array.from({ length: 10 }, () => '90:80'));
    const found = trends(wins, { sport: 'basketball', venues: ['overall', 'home', 'away'] });
    assert.deepEqual(
      found.map(({ condition }) => condition),
      ['won'],
    );
    assert.deepEqual(listConditions(shippedTrendRules(), 'cricket'), ['won', 'drawn', 'lost', 'unbeaten', 'winless']);
  });

  it('follow the winner, not the score, after a shoot-out', () => {
    const shootOuts = season(...Array.from({ length: 12 }, () => '1:1')).map((match) => ({
      ...match,
      winner: match.home_id === 1 ? ('home' as const) : ('away' as const),
    }));
    assert.equal(trends(shootOuts)[0]!.condition, 'won');
  });

  it('are limited in number by the rules', () => {
    const wins = season(...Array.from({ length: 40 }, (_, day) => (day % 2 ? '5:0' : '2:2')));
    const some = { ...shippedTrendRules(), most_per_side: 2 };
    const input = {
      sport: 'football',
      sideId: 1,
      venues: ['overall', 'home', 'away'],
      matches: wins,
      league: LEAGUE,
    } as const;
    assert.ok(findTrends(input).length > 2);
    assert.deepEqual(findTrends(input, some), findTrends(input).slice(0, 2));
    assert.equal(shippedTrendRules().most_per_side, 8);
  });

  it('are the same, in the same order, as in an independent computation for any results', () => {
    const match = fc.tuple(fc.boolean(), fc.nat(4), fc.nat(4));
    const league = fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 55, maxLength: 90 });
    fc.assert(
      fc.property(
        fc.array(match, { maxLength: 45 }),
        league,
        fc.constantFrom('football', 'ice-hockey', 'handball'),
        fc.constantFrom<TrendInput['venues']>(['overall', 'home'], ['overall', 'away'], ['overall', 'home', 'away']),
        // Results that strongly favour one side cause trends.
        fc.boolean(),
        (rows, played_, sport, venues, lopsided) => {
          const matches = rows.map(([atHome, scored, conceded], day) => {
            const [own, other] = lopsided ? [scored + 2, Math.min(conceded, 1)] : [scored, conceded];
            return atHome ? played(day, 1, `${own}:${other}`, 2) : played(day, 2, `${other}:${own}`, 1);
          });
          const leagueMatches = played_.map(([home, away], day) => played(day, 3, `${home}:${away}`, 4));
          const input = { sport, sideId: 1, venues, matches, league: leagueCounts(leagueMatches) };
          const found = findTrends(input);
          assert.deepEqual(
            found.map(({ condition, sample, count }) => `${condition} ${sample.venue} ${count}/${sample.last}`),
            naiveTrends(sport, matches, venues, leagueMatches),
          );
          assert.deepEqual(findTrends({ ...input, matches: matches.toReversed() }), found);
          for (const trend of found) {
            assert.equal(trend.event_ids.length, trend.matches);
            assert.equal(trend.sample.last, trend.matches);
            assert.ok(trend.count / trend.matches > trend.base_rate);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('trend conditions', () => {
  it('imply weaker conditions, as a win implies a goal', () => {
    const followers = (key: (typeof CONDITION_KEYS)[number]) =>
      findSport('football')!.trends.filter((other) => other !== key && implies(key, other as typeof key));
    assert.deepEqual(followers('won'), ['unbeaten', 'scored']);
    assert.deepEqual(followers('lost'), ['winless', 'conceded']);
    assert.deepEqual(followers('over_2_5'), ['over_1_5']);
    assert.deepEqual(followers('under_2_5'), []);
    assert.deepEqual(followers('btts'), ['over_1_5', 'scored', 'conceded']);
    assert.deepEqual(followers('unbeaten'), []);
    assert.ok(implies('under_2_5', 'under_6_5') && !implies('under_6_5', 'under_2_5'));
    assert.ok(implies('won_by_10', 'scored_10_up') && !implies('won_by_10', 'scored_11_up'));
    assert.ok(implies('over_160_5', 'over_150_5') && !implies('over_160_5', 'scored_82_up'));
  });

  it('with numbers imply a second condition if and only if every score that meets the first also meets the second', () => {
    const number = fc.nat(24);
    const condition = fc.oneof(
      fc.constantFrom<ConditionKey>('won', 'lost', 'unbeaten', 'winless', 'clean_sheet', 'btts', 'won_to_nil'),
      fc.tuple(number, fc.nat(6)).map(([count, family]) => {
        const keys = [`over_${count}_5`, `under_${count}_5`, `scored_${count}_up`, `conceded_${count}_up`] as const;
        return [...keys, `won_by_${count}`, `lost_by_${count}`, `within_${count}`][family] as ConditionKey;
      }),
    );
    const scores = Array.from({ length: 80 }, (_, score) => score);
    fc.assert(
      fc.property(condition, condition, (one, other) => {
        const all = scores.every((scored) =>
          scores.every((conceded) => {
            const outcome = scored > conceded ? 'win' : scored < conceded ? 'loss' : 'draw';
            const match = { scored, conceded, outcome } as const;
            return !isMet(one, match) || isMet(other, match);
          }),
        );
        assert.equal(implies(one, other), all, `${one} and ${other}`);
      }),
      { numRuns: 400 },
    );
    assert.throws(
      () => isMet('over_x_5' as ConditionKey, { scored: 1, conceded: 0, outcome: 'win' }),
      /no condition over_x_5/,
    );
  });

  it('are counted in the league by the same rule as in a side’s matches', () => {
    const rows = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { minLength: 60, maxLength: 80 });
    const rules = {
      ...shippedTrendRules(),
      chance_level: 0.999,
      fewest_share: 0.001,
      last: [100],
      same_above: 0.999,
      most_per_side: 1_000,
    };
    fc.assert(
      fc.property(rows, fc.constantFrom<'home' | 'away'>('home', 'away'), (scores, venue) => {
        const matches = scores.map(([home, away], day) =>
          venue === 'home' ? played(day, 1, `${home}:${away}`, 2) : played(day, 2, `${home}:${away}`, 1),
        );
        // The league has only this side's matches, so each count equals the base rate.
        const sports = { football: [...CONDITION_KEYS] };
        const input = { sport: 'football', sideId: 1, venues: [venue], matches, league: leagueCounts(matches) };
        for (const trend of findTrends(input, { ...rules, sports }))
          assert.ok(Math.abs(trend.base_rate - trend.count / trend.matches) < 1e-12, trend.condition);
      }),
    );
  });
});

describe('trend rules', () => {
  it('leave out tests that cannot succeed, and share the significance level among the rest', () => {
    // Two of the four values may be at or below 0.05 / 2.
    assert.equal(boundFor([0.5, 0.01, 0.001, 0.4], 0.05), 0.025);
    assert.equal(boundFor([0.001, 0.001, 0.001], 0.06), 0.02);
    assert.equal(boundFor([0.9], 0.05), 0.05);
    assert.equal(boundFor([], 0.05), 0.05);
  });

  it('are refused if they are wrong', () => {
    const text = (level: string, more = '') =>
      `{chance_level: ${level}, fewest_matches: 5, fewest_league_matches: 60, fewest_share: 0.5, last: [10], same_above: 0.75, most_per_side: 8${more}}`;
    assert.deepEqual(trendRules(text('0.1')).sports.mma, []);
    assert.throws(() => trendRules(text('0.1', ', sports: {football: [won]}')), /sports/);
    assert.throws(() => trendRules(text('1.5')), /chance_level/);
    assert.throws(() => trendRules('{'), /flow/i);
  });
});
