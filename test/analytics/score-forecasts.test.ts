import assert from 'node:assert/strict';
import { marginErrors, scoreSets } from '../../src/analytics/backtest/score-backtest.ts';
import { expectedMargin, setScores } from '../../src/analytics/elo/score-forecasts.ts';
import { aussieRules } from '../../src/sports/aussie-rules.ts';
import { volleyball } from '../../src/sports/volleyball.ts';

const near = (actual: number, expected: number, error = 1e-6) =>
  assert.ok(Math.abs(actual - expected) < error, `${actual}, not ${expected}`);

describe('forecasts of scores', () => {
  it('the expected margin follows from the rating difference, in sports that have one', () => {
    near(expectedMargin(100, aussieRules.rating!)!, 14);
    near(expectedMargin(-100, aussieRules.rating!)!, -14);
    assert.equal(expectedMargin(100, volleyball.rating!), null);
  });

  it('scores in sets add up to 1, and the wins to the chance of a win', () => {
    for (const homeWin of [0.001, 0.2, 0.5, 0.9, 0.999]) {
      const scores = setScores(homeWin, { toWin: 3, deviation: 0.7 });
      assert.deepEqual(
        scores.map(({ home, away }) => `${home}:${away}`),
        ['3:0', '3:1', '3:2', '2:3', '1:3', '0:3'],
      );
      const sum = (wanted: (home: number, away: number) => boolean) =>
        scores.reduce((total, { home, away, probability }) => total + (wanted(home, away) ? probability : 0), 0);
      near(
        sum(() => true),
        1,
      );
      near(
        sum((home, away) => home > away),
        homeWin,
      );
    }
  });

  it('without a deviation, equal sides have the scores of fair coins; with one, more straight sets', () => {
    const fair = setScores(0.5, { toWin: 3, deviation: 0 }).map(({ probability }) => probability);
    for (const [index, expected] of [1 / 8, 3 / 16, 3 / 16, 3 / 16, 3 / 16, 1 / 8].entries())
      near(fair[index]!, expected);
    assert.ok(setScores(0.5, { toWin: 3, deviation: 0.7 })[0]!.probability > 0.16);
  });

  it('the backtest compares margins with the mean of earlier ones', () => {
    const match = (home_score: number, away_score: number) => ({ home_score, away_score });
    assert.deepEqual(
      marginErrors([
        { match: match(80, 60), expected: 10 },
        { match: match(50, 90), expected: 0 },
      ]),
      { rating: 25, home_mean: 40 },
    );
  });

  it('the backtest scores final scores in sets, and leaves out abandoned matches', () => {
    const rules = { toWin: 3, deviation: 0 };
    const rated = (home_score: number, away_score: number) => ({ match: { home_score, away_score }, home_win: 0.5 });
    const { log_loss, brier, share_log_loss } = scoreSets([rated(3, 0), rated(1, 1)], rules);
    near(log_loss, Math.log(8));
    near(brier, (1 - 1 / 8) ** 2 + 4 * (3 / 16) ** 2 + (1 / 8) ** 2);
    near(share_log_loss, Math.log(6));
  });
});
