import assert from 'node:assert/strict';
import fc from 'fast-check';
import { valueBets } from '../../src/analytics/cards/value-bets.ts';
import type { Probabilities } from '../../src/analytics/poisson/poisson.ts';

const P: Probabilities = {
  home_win: 0.5,
  draw: 0.3,
  away_win: 0.2,
  over_1_5: 0.75,
  over_2_5: 0.4,
  over_3_5: 0.2,
  under_2_5: 0.6,
  btts: 0.55,
  btts_no: 0.45,
};
const price = (market: string, selection: string, decimal: number) => ({ market, selection, decimal });

describe('value bets', () => {
  it('are the prices above the fair price, with the largest edge first', () => {
    assert.deepEqual(
      valueBets(P, [
        price('1x2', 'home', 2.1),
        price('1x2', 'draw', 3.3),
        price('over_under_2.5', 'under', 2),
        price('btts', 'no', 2.5),
        price('btts', 'yes', 1.7),
      ]),
      [
        { market: 'btts', selection: 'no', market_odds: 2.5, fair_odds: 2.22, edge_pct: 12.5 },
        { market: 'over_under_2.5', selection: 'under', market_odds: 2, fair_odds: 1.67, edge_pct: 20 },
        { market: '1x2', selection: 'home', market_odds: 2.1, fair_odds: 2, edge_pct: 5 },
      ].sort((a, b) => b.edge_pct - a.edge_pct),
    );
  });

  it('exclude a price that equals the fair price, and an edge that rounds to 0', () => {
    assert.deepEqual(valueBets(P, [price('1x2', 'home', 2)]), []);
    assert.deepEqual(valueBets(P, [price('1x2', 'home', 2.00001)]), []);
    assert.equal(valueBets(P, [price('1x2', 'home', 2.0002)])[0]?.edge_pct, 0.01);
  });

  it('have an edge from the unrounded fair price and the best price', () => {
    // The fair price is 1 / 0.3 = 3.333… The price 3.6 exceeds it by 8 %, and exceeds 3.33 by 8.11 %.
    const bets = valueBets(
      P,
      [3.4, 3.6, 3.5].map((decimal) => price('1x2', 'draw', decimal)),
    );
    assert.deepEqual(bets, [{ market: '1x2', selection: 'draw', market_odds: 3.6, fair_odds: 3.33, edge_pct: 8 }]);
  });

  it('have a caution above an edge of 20 %, but not at 20 %', () => {
    assert.equal(valueBets(P, [price('1x2', 'home', 2.42)])[0]?.caution, true);
    assert.ok(!('caution' in valueBets(P, [price('1x2', 'home', 2.4)])[0]!));
  });

  it('ignore prices of 1, 0, less, text, NaN and infinity, but use the valid prices in the same list', () => {
    const bad = [1, 0, -5, Number.NaN, Number.POSITIVE_INFINITY, '99', '', null, undefined, {}] as number[];
    const prices = bad.map((decimal) => price('1x2', 'home', decimal));
    assert.deepEqual(valueBets(P, prices), []);
    assert.equal(valueBets(P, [...prices, price('1x2', 'home', 2.2)])[0]?.market_odds, 2.2);
  });

  it('exclude unknown markets and selections', () => {
    const names = ['__proto__', 'constructor', '', '1X2', 'toString'];
    assert.deepEqual(
      valueBets(
        P,
        names.flatMap((name) => [price(name, 'home', 50), price('1x2', name, 50)]),
      ),
      [],
    );
    assert.deepEqual(valueBets(P, [price('btts', 'home', 50), price('1x2', 'yes', 50)]), []);
  });

  it('exclude an impossible outcome at any price', () => {
    assert.deepEqual(valueBets({ ...P, home_win: 0 }, [price('1x2', 'home', 10_000)]), []);
  });

  it('are finite, positive and sorted, with at most one for each selection, for any prices', () => {
    const markets = { '1x2': ['home', 'draw', 'away'], 'over_under_2.5': ['over', 'under'], btts: ['yes', 'no'] };
    const any = fc
      .constantFrom(...Object.entries(markets).flatMap(([market, names]) => names.map((name) => [market, name])))
      .chain(([market, selection]) => fc.double().map((decimal) => price(market!, selection!, decimal)));
    fc.assert(
      fc.property(fc.array(any), (prices) => {
        const bets = valueBets(P, prices);
        assert.equal(new Set(bets.map(({ market, selection }) => market + selection)).size, bets.length);
        for (const [index, { edge_pct, market_odds }] of bets.entries()) {
          assert.ok(edge_pct > 0 && Number.isFinite(edge_pct) && Number.isFinite(market_odds));
          assert.ok(index === 0 || edge_pct <= bets[index - 1]!.edge_pct);
        }
      }),
    );
  });
});
