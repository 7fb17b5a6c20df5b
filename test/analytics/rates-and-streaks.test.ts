import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeForm } from '../../src/analytics/form/rates-and-streaks.ts';
import { played, premierLeague } from './matches.ts';

/** Results of side 1: W 2:0, L 0:1, D 1:1, W 3:1, W 1:0, D 0:0. */
const SIX = [
  played(1, 1, '2:0', 2),
  played(2, 3, '1:0', 1),
  played(3, 1, '1:1', 4),
  played(4, 5, '1:3', 1),
  played(5, 1, '1:0', 6),
  played(6, 7, '0:0', 1),
];

describe('a side’s form', () => {
  it('has the figures computed by hand', () => {
    assert.deepEqual(computeForm(SIX, 1).overall, {
      matches: 6,
      w: 3,
      d: 2,
      l: 1,
      ppg: 1.83,
      gf_avg: 1.17,
      ga_avg: 0.5,
      goals_avg: 1.67,
      over_1_5: 50,
      over_2_5: 16.67,
      over_3_5: 16.67,
      btts: 33.33,
      clean_sheet: 50,
      failed_to_score: 33.33,
      win_pct: 50,
      draw_pct: 33.33,
      loss_pct: 16.67,
      streak: { type: 'draw', len: 1 },
      unbeaten_run: 4,
      scoring_run: 0,
      cleansheet_run: 2,
      form: 'DWWDLW',
    });
  });

  it('is split into home and away, while the streaks still come from all matches', () => {
    const form = computeForm(SIX, 1);
    assert.deepEqual([form.home.form, form.away.form], ['WDW', 'DWL']);
    assert.deepEqual([form.home.matches, form.home.gf_avg, form.home.ga_avg], [3, 1.33, 0.33]);
    assert.deepEqual([form.away.matches, form.away.gf_avg, form.away.ga_avg], [3, 1, 0.67]);
    assert.deepEqual([form.home.unbeaten_run, form.home.scoring_run], [3, 3]);
    assert.deepEqual(form.streaks, {
      streak: { type: 'draw', len: 1 },
      unbeaten_run: 4,
      scoring_run: 0,
      cleansheet_run: 2,
    });
  });

  it('counts a match at a neutral venue only in the total, not as home or away', () => {
    const form = computeForm(
      SIX.map((match) => ({ ...match, neutral: match.id <= 2 })),
      1,
    );
    assert.equal(form.overall.matches, 6);
    assert.deepEqual([form.home.form, form.away.form], ['WD', 'DW']);
  });

  it('uses the newest five and ten matches, in any input order', () => {
    const twelve = [...SIX, ...SIX.map((match) => ({ ...match, id: match.id + 6, start: match.start + 6 * 86_400 }))];
    const form = computeForm(twelve.toReversed(), 1);
    assert.deepEqual(form, computeForm(twelve, 1));
    assert.deepEqual([form.overall.matches, form.last10.matches, form.last5.matches], [12, 10, 5]);
    assert.deepEqual([form.last5.form, form.last10.form], ['DWWDL', 'DWWDLWDWWD']);
    assert.equal(form.overall.form, 'DWWDLWDWWD', 'the letters end after ten');
    assert.deepEqual([form.last5.ppg, form.last5.loss_pct], [1.6, 20]);
  });

  it('has a run as long as the sample if every match meets the condition', () => {
    const wins = [1, 2, 3].map((day) => played(day, 1, '1:0', 2));
    assert.deepEqual(computeForm(wins, 1).streaks, {
      streak: { type: 'win', len: 3 },
      unbeaten_run: 3,
      scoring_run: 3,
      cleansheet_run: 3,
    });
    assert.deepEqual(computeForm(wins, 2).streaks, {
      streak: { type: 'loss', len: 3 },
      unbeaten_run: 0,
      scoring_run: 0,
      cleansheet_run: 0,
    });
  });

  it('has null rates and no runs without matches', () => {
    for (const matches of [[], [played(1, 2, '1:0', 3)], [played(1, 1, '1:0', 1)]]) {
      const { overall, away, streaks } = computeForm(matches, 1);
      assert.deepEqual(overall, away);
      const { matches: count, w, d, l, form, streak, unbeaten_run, scoring_run, cleansheet_run, ...rates } = overall;
      assert.deepEqual([count, w, d, l, form], [0, 0, 0, 0, '']);
      assert.deepEqual(streaks, { streak, unbeaten_run, scoring_run, cleansheet_run });
      assert.deepEqual(streaks, { streak: null, unbeaten_run: 0, scoring_run: 0, cleansheet_run: 0 });
      assert.equal(Object.keys(rates).length, 13);
      for (const [key, rate] of Object.entries(rates)) assert.equal(rate, null, key);
    }
  });

  it('follows the winner, not the score, after a shoot-out', () => {
    const shootOut = { ...played(1, 1, '2:2', 2), winner: 'away' as const };
    assert.deepEqual([computeForm([shootOut], 1).overall.form, computeForm([shootOut], 2).overall.form], ['L', 'W']);
    assert.equal(computeForm([shootOut], 2).overall.gf_avg, 2);
  });

  it('uses the tournament’s points for a win or a draw', () => {
    const twoPoints = computeForm(SIX, 1, ({ outcome }) => ({ win: 2, draw: 1, loss: 0 })[outcome]);
    assert.equal(twoPoints.overall.ppg, 1.33);
    const overtime = computeForm(SIX, 1, ({ outcome, match }) => (outcome === 'win' ? 2 : match.id === 2 ? 1 : 0));
    assert.equal(overtime.overall.ppg, 1.17);
  });

  it('has the Leicester figures from the final 2015/16 table', function () {
    const { matches, idOf } = premierLeague(this, '1516');
    const { overall, home, away } = computeForm(matches, idOf('Leicester'));
    assert.deepEqual([overall.matches, overall.w, overall.d, overall.l], [38, 23, 12, 3]);
    // The side had 68:36 goals and 81 points.
    assert.deepEqual([overall.gf_avg, overall.ga_avg, overall.ppg], [1.79, 0.95, 2.13]);
    assert.deepEqual([home.w, home.d, home.l, away.w, away.d, away.l], [12, 6, 1, 11, 6, 2]);
    // The last loss was at Arsenal on 14 February. The 12 matches since then were 6 wins, a draw, 1 win, …
    assert.equal(overall.unbeaten_run, 12);
    assert.deepEqual(overall.streak, { type: 'draw', len: 1 });
  });

  it('is consistent for any results: outcomes add up, rates are percentages and no figure is NaN', () => {
    const side = fc.integer({ min: 1, max: 3 });
    const match = fc.tuple(side, fc.nat(9), fc.nat(9), side);
    fc.assert(
      fc.property(fc.array(match, { maxLength: 40 }), (rows) => {
        const matches = rows.map(([home, h, a, away], day) => played(day % 7, home, `${h}:${a}`, away));
        const { streaks: _, ...blocks } = computeForm(matches, 1);
        assert.equal(blocks.home.matches + blocks.away.matches, blocks.overall.matches);
        for (const block of Object.values(blocks)) {
          assert.equal(block.w + block.d + block.l, block.matches);
          assert.ok(!JSON.stringify(block).includes('NaN'));
          for (const [key, value] of Object.entries(block))
            if (typeof value === 'number') assert.ok(Number.isFinite(value) && value >= 0, key);
          if (block.matches === 0) continue;
          assert.ok(Math.abs(block.win_pct! + block.draw_pct! + block.loss_pct! - 100) < 0.02);
          assert.ok(block.over_1_5! >= block.over_2_5! && block.over_2_5! >= block.over_3_5! && block.over_1_5! <= 100);
          assert.ok(block.streak!.len <= block.matches && block.unbeaten_run <= block.matches);
          assert.equal(block.form.length, Math.min(block.matches, 10));
        }
      }),
    );
  });
});
