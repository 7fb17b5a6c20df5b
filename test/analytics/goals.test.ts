import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backtest } from '../../src/analytics/backtest/match-backtest.ts';
import type { ModelScores } from '../../src/analytics/backtest/match-scores.ts';
import { train } from '../../src/analytics/fit/calibrated-training.ts';
import { type HistoryMatch, listTournaments, type MatchSource } from '../../src/analytics/history/match-source.ts';
import { footballHistory } from '../support/football-history.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { at } from './matches.ts';

const PARAMETERS = new URL('../../data/analytics/calibrated-parameters.json', import.meta.url);

function history(test: Mocha.Context): MatchSource {
  const source = footballHistory();
  if (source) return source;
  console.warn('      SKIPPED: football-datasets is not there (DATA names the folder of data sets)');
  return test.skip();
}

describe('the models on five leagues, 2016/17 to 2025/26', function () {
  this.timeout(600_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'touchline-goals-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('reach the scores that the documentation promises', async function () {
    const source = history(this);
    const report = await backtest(source, {
      from: at('2016-07-01T00:00:00Z'),
      to: at('2026-07-01T00:00:00Z'),
      checkpoints: folder,
    });
    assert.equal(report.all!.matches, 17_354);
    assert.equal(report.seasons.length, 10);
    const { poisson, calibrated, base_rates } = report.all!.models as Record<string, ModelScores>;
    assert.ok(poisson!.rps <= 0.205, `${poisson!.rps}`);
    assert.ok(calibrated!.rps <= 0.2, `${calibrated!.rps}`);
    assert.ok(calibrated!.log_loss <= 0.984, `${calibrated!.log_loss}`);
    assert.ok(calibrated!.over_under_2_5_log_loss! <= 0.682, `${calibrated!.over_under_2_5_log_loss}`);
    for (const [outcome, error] of Object.entries(calibrated!.calibration_error))
      assert.ok(error <= 0.02, `${outcome}: ${error}`);
    for (const { season, evaluation } of report.seasons) {
      const scores = evaluation.models as Record<string, ModelScores>;
      assert.ok(scores.calibrated!.rps < scores.poisson!.rps, season);
      assert.ok(scores.calibrated!.rps < scores.base_rates!.rps, season);
    }
    assert.ok(calibrated!.brier < poisson!.brier && calibrated!.brier < base_rates!.brier);
  });

  it('have the same parameters as a new fit on the seasons up to 2015/16 (long form)', async function () {
    if (!LONG_FORMS) this.skip();
    this.timeout(3_600_000);
    const source = history(this);
    const stored = JSON.parse(readFileSync(PARAMETERS, 'utf8'));
    const [from, to] = [at('2007-07-01T00:00:00Z'), at('2016-07-01T00:00:00Z')];
    const tournaments: HistoryMatch[][] = [];
    for (const { id } of await listTournaments(source, undefined))
      tournaments.push((await source.matches(id)).filter(({ start }) => start < to));
    for (const method of ['goals', 'shots'] as const)
      assert.deepEqual(train({ tournaments, from, to }, method, () => undefined).parameters, stored[method]);
  });
});
