/** Tests the fit of the expected goals model, its scores on the Wyscout data set, and the section in /docs/models. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import type { ExpectedGoalsReport } from '../../src/analytics/backtest/expected-goals-backtest.ts';
import { shotScores } from '../../src/analytics/backtest/shot-scores.ts';
import { readModelReports, storeModelReport } from '../../src/analytics/backtest/stored-reports.ts';
import { fitExpectedGoals } from '../../src/analytics/fit/fit-expected-goals.ts';
import { readShots, type ShotMatch } from '../../src/analytics/fit/shot-source.ts';
import { addModelCommands } from '../../src/analytics/model-commands.ts';
import type { ModelledShot } from '../../src/expected-goals/shot-features.ts';
import { expectedGoals } from '../../src/expected-goals/shot-model.ts';
import { wyscoutMatches } from '../../src/importers/wyscout/wyscout.ts';
import { calibrationPlots } from '../../src/web/models/calibration-plot.ts';
import { modelsPage } from '../../src/web/models/models-page.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { createTestDatabase } from '../support/database.ts';

const DATA = join(process.env.DATA ?? join(import.meta.dirname, '../../../shared/datasets'), 'wyscout');
const SHIPPED = new URL('../../data/analytics/expected-goals.json', import.meta.url);

const shot = (over: Partial<ModelledShot> = {}): ModelledShot => ({
  side: 'home',
  minute: 10,
  shotType: 'miss',
  situation: 'regular',
  bodyPart: 'right_foot',
  x: 89,
  y: 50,
  ...over,
});

/** The data set, which is read only once. */
let known: MatchUpdateInput[] | undefined;
async function* read(): AsyncGenerator<MatchUpdateInput> {
  if (known === undefined) {
    known = [];
    for await (const update of wyscoutMatches(DATA)) known.push(update);
  }
  yield* known;
}

/**
 * Runs one of the model commands.
 * @returns what the command prints, and the report that it stores
 */
async function run(...words: string[]): Promise<{ said: string; report?: ExpectedGoalsReport }> {
  const lines: string[] = [];
  let report: ExpectedGoalsReport | undefined;
  const program = new Command('touchline').exitOverride();
  addModelCommands(
    program,
    (work) =>
      work({
        source: { tournaments: () => assert.fail(), matches: () => assert.fail() },
        store: async (kind, stored) => {
          assert.equal(kind, 'expected_goals');
          report = stored as ExpectedGoalsReport;
        },
      }),
    (line) => lines.push(line),
    { readWyscout: async (given) => (given === DATA ? read() : wyscoutMatches(given)), draw: calibrationPlots },
  );
  await program.parseAsync(words, { from: 'user' });
  return { said: lines.join('\n'), ...(report && { report }) };
}

describe('the expected-goals model', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'touchline-xg-'));
  });
  after(() => {
    known = undefined;
    rmSync(folder, { recursive: true, force: true });
  });
  const needsData = (test: Mocha.Context): void => {
    if (existsSync(DATA)) return;
    console.warn('      SKIPPED: the Wyscout data set is not there (DATA names the folder of data sets)');
    test.skip();
  };

  it('predicts England 2017/18 better than the published model if fitted on Spain, Italy and Germany, and the report is shown', async function () {
    needsData(this);
    const { said, report } = await run('backtest', '--expected-goals', DATA, '--out', folder);
    const { all, without_penalties, leagues, open_play_shots } = report!;
    assert.ok(all.auc >= 0.79, `AUC ${all.auc}`);
    assert.ok(all.brier <= 0.0835, `Brier ${all.brier}`);
    assert.ok(all.calibration_error <= 0.008, `ECE ${all.calibration_error}`);
    assert.deepEqual(
      [all.shots, all.goals, without_penalties.shots, without_penalties.goals],
      [8_880, 988, 8_800, 932],
    );
    assert.deepEqual(
      leagues.map(({ league, role, matches, shots, goals }) => [league, role, matches, shots, goals]),
      [
        ['Spain', 'training', 380, 8_544, 993],
        ['Italy', 'training', 380, 9_346, 978],
        ['Germany', 'training', 306, 7_290, 833],
        ['England', 'test', 380, 8_880, 988],
        ['France', 'unused', 380, 8_977, 998],
      ],
    );
    assert.equal(open_play_shots, 40_458);
    assert.match(said, /\| Touchline +\| 8,880 \| +988 \| +1,012 \| 0\.7922 \| 0\.0830 \| 0\.0053 \|/u);
    assert.match(said, /\| soccer_xg, custom +\| .*\| 0\.7872 \| 0\.0837 \| 0\.0069 \|/u);
    assert.deepEqual(readdirSync(folder).sort(), [
      'calibration-expected-goals-dark.svg',
      'calibration-expected-goals-light.svg',
      'expected-goals.json',
      'expected-goals.md',
    ]);
    const db = await createTestDatabase();
    try {
      await storeModelReport(db.pool, 'expected_goals', report!, Date.parse('2026-11-26T12:00:00Z'));
      const stored = await readModelReports(db.pool);
      for (const [lang, shots, league] of [
        ['en', '8,880', 'Germany'],
        ['ru', '8\u00a0880', 'Германия'],
      ] as const) {
        const page = modelsPage(stored, lang);
        for (const part of [shots, league, '0.7922', '0.0837', 'models/expected_goals/calibration.svg?theme=dark'])
          assert.ok(page.includes(part), `${lang}: ${part}`);
      }
    } finally {
      await db.drop();
    }
  });

  it('gets the shipped coefficients if it is fitted with the command', async function () {
    needsData(this);
    const out = join(folder, 'fitted.json');
    const { said } = await run('fit-expected-goals', DATA, '--out', out);
    assert.equal(readFileSync(out, 'utf8'), readFileSync(SHIPPED, 'utf8'));
    assert.match(said, /^Fitted to 25,180 shots of Spain, Italy, Germany/u);
  });

  it('is not fitted if the folder lacks the data set or a league', async () => {
    await assert.rejects(run('fit-expected-goals', folder), /the CSV tables of the Wyscout data set/u);
    await assert.rejects(run('backtest', '--expected-goals', join(folder, 'none')), /none/u);
    assert.throws(() => fitExpectedGoals([]), /there is no penalty/u);
    const alone = [{ country: 'ES', season: '2017/18', shots: [shot(), shot({ situation: 'penalty' })] }];
    assert.throws(() => fitExpectedGoals(alone), /needs shots with coordinates of two leagues/u);
  });

  it('recovers the odds from which simulated shots were drawn', () => {
    // In each place, 1,000 shots with as many goals as the place is worth.
    const worth: [x: number, goals: number][] = [
      [96, 600],
      [89, 200],
      [80, 50],
    ];
    const matches = ['ES', 'IT'].flatMap((country): ShotMatch[] => [
      ...worth.flatMap(([x, goals]) =>
        Array.from({ length: 1_000 }, (_, index) => ({
          country,
          season: '2017/18',
          shots: [shot({ x, shotType: index < goals ? 'goal' : 'miss' })],
        })),
      ),
      { country, season: '2017/18', shots: [shot({ situation: 'penalty', shotType: 'goal' })] },
      { country, season: '2017/18', shots: [shot({ situation: 'penalty' })] },
    ]);
    const model = fitExpectedGoals(matches);
    assert.equal(model.penalty, 0.5);
    for (const [x, goals] of worth) {
      const [xg] = expectedGoals([shot({ x })], model);
      assert.ok(Math.abs(xg! - goals / 1_000) < 0.005, `${x}: ${xg}`);
    }
  });

  it('computes the forecast scores by their definitions', () => {
    const forecasts = (pairs: [probability: number, occurred: boolean][]) =>
      shotScores(pairs.map(([probability, occurred]) => ({ probability, occurred })));
    const scores = forecasts([
      [0.05, false],
      [0.05, true],
      [0.5, false],
      [0.95, true],
      [1, true],
    ])!;
    // There are six pairs of a goal and a shot without a goal, which score 0.5 + 0 + 1 + 1 + 1 + 1.
    assert.ok(Math.abs(scores.auc - 4.5 / 6) < 1e-12, `${scores.auc}`);
    assert.ok(Math.abs(scores.brier - (0.0025 + 0.9025 + 0.25 + 0.0025) / 5) < 1e-12);
    // The bins begin at 0, 0.5 and 0.9 (which includes 1). The error is 2 × |0.05 − 0.5| + 1 × 0.5 + 2 × |0.975 − 1|, divided by 5.
    assert.ok(Math.abs(scores.calibration_error - 1.45 / 5) < 1e-12, `${scores.calibration_error}`);
    assert.deepEqual(
      scores.reliability.map(({ count }) => count),
      [2, 1, 2],
    );
    assert.deepEqual([forecasts([]), forecasts([[0.5, true]]), forecasts([[0.5, false]])], [null, null, null]);
  });

  it('reads shots without shoot-out kicks and own goals', async () => {
    async function* matches() {
      yield {
        match: {
          tournament: { name: 'La Liga', country: 'ES' },
          season: { label: '2017/18' },
          shotmap: [shot(), shot({ shotType: 'own_goal' }), shot({ situation: 'shootout' })].map((one) => ({
            ...one,
            xg: null,
            player: { name: 'Striker' },
          })),
        },
      } as never;
      yield { match: { tournament: { name: 'La Liga', country: 'ES' }, season: { label: '2017/18' } } } as never;
    }
    assert.deepEqual(await readShots(matches()), [{ country: 'ES', season: '2017/18', shots: [shot()] }]);
  });
});
