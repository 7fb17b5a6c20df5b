import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { type Parameters, readParameters } from '../../src/analytics/calibrated/parameters.ts';
import { fitModelCommand } from '../../src/analytics/fit/fit-calibrated-model.ts';
import { searchParameters } from '../../src/analytics/fit/parameter-search.ts';
import type { HistoryMatch, MatchSource } from '../../src/analytics/history/match-source.ts';
import { addModelCommands } from '../../src/analytics/model-commands.ts';
import { calibrationPlots } from '../../src/web/models/calibration-plot.ts';
import { PLAIN, simulate, sourceOf, twoLeagues } from './history.ts';
import { at } from './matches.ts';

const LEAGUE = simulate({
  seed: 21,
  sides: 6,
  seasons: 3,
  goals: (home, away) => [0.4 + (away - home) / 15, 0.1 + (home - away) / 15],
}).map(
  (match): HistoryMatch => ({
    ...match,
    home_shots_on_target: 2 * match.home_score + (match.id % 3),
    away_shots_on_target: 2 * match.away_score,
  }),
);
const FROM = at('2016-01-01T00:00:00Z');
const TO = at('2017-07-01T00:00:00Z');

describe('fitting the model', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'touchline-fit-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const fit = async (source: MatchSource, name: string) => {
    const out = join(folder, name);
    await fitModelCommand(source, { from: FROM, to: TO, out }, () => undefined);
    return readFileSync(out, 'utf8');
  };

  it('writes the same parameters for the same matches, even if the database also has later matches', async function () {
    this.timeout(120_000);
    const text = await fit(sourceOf(LEAGUE), 'first.json');
    const football = readParameters(text).get('football')!;
    assert.equal(football.goals.shots_share, 0);
    assert.notDeepEqual(football.goals, football.shots);
    const { fitted_on } = JSON.parse(text);
    assert.deepEqual([fitted_on.tournaments, fitted_on.from, fitted_on.to], ['League 1', '2016-01-01', '2017-06-30']);
    const changed = LEAGUE.map((match) => (match.start < TO ? match : { ...match, home_score: 9 }));
    assert.ok(changed.some(({ home_score }) => home_score === 9));
    assert.equal(await fit(sourceOf(changed.toReversed()), 'second.json'), text);
  });

  it('reports missing matches and missing tournaments', async () => {
    await assert.rejects(fit(twoLeagues(), 'none.json'), /no match in the period can be predicted from shots/);
    await assert.rejects(fit(sourceOf([]), 'none.json'), /no match in the period can be predicted from goals/);
    await assert.rejects(fit(sourceOf(), 'none.json'), /no tournament of football/);
  });
});

describe('the search for parameters', () => {
  const target: Partial<Parameters> = {
    difference_scale: 1.45,
    low_score_correlation: -0.09,
    half_life_days: 300,
    ridge: 12,
  };
  const distance = (parameters: Parameters) =>
    Object.entries(target).reduce(
      (sum, [name, value]) => sum + Math.log(1 + Math.abs(parameters[name as 'ridge'] / value - 1)),
      0,
    );

  it('approaches the best value step by step, and leaves fixed parameters alone', () => {
    const losses: number[] = [];
    let fits = 0;
    const found = searchParameters<Parameters>({
      start: { ...PLAIN, shots_share: 0.25 },
      fit: (parameters) => {
        fits += 1;
        return parameters;
      },
      loss: (fitted, parameters) => {
        // The fit must have been made with the current values of all parameters that influence it.
        for (const name of ['half_life_days', 'ridge', 'newcomer_attack', 'newcomer_matches'] as const)
          assert.equal(fitted[name], parameters[name]);
        return distance(parameters);
      },
      fixed: ['shots_share'],
      onGain: (_, loss) => losses.push(loss),
    });
    for (const [name, value] of Object.entries(target))
      assert.ok(Math.abs(found[name as 'ridge'] / value - 1) < 0.15, `${name}: ${found[name as 'ridge']}`);
    assert.equal(found.shots_share, 0.25);
    assert.deepEqual(
      losses,
      losses.toSorted((a, b) => b - a),
    );
    assert.ok(fits < 150, `${fits}`);
  });
});

describe('the model commands', () => {
  const parse = async (...words: string[]) => {
    const program = new Command('touchline').exitOverride();
    for (const stream of ['writeOut', 'writeErr'] as const) program.configureOutput({ [stream]: () => undefined });
    let asked = false;
    addModelCommands(
      program,
      async () => {
        asked = true;
      },
      () => undefined,
      { readWyscout: () => assert.fail('no command here reads shots'), draw: calibrationPlots },
    );
    for (const command of program.commands)
      command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    await program.parseAsync(words, { from: 'user' });
    return asked;
  };

  it('accept dates and ids', async () => {
    assert.ok(
      await parse(
        'backtest',
        '--from',
        '2016-07-01',
        '--to',
        '2026-06-30',
        '--tournament',
        '1',
        '2',
        '--out',
        '/tmp/x',
      ),
    );
    assert.ok(await parse('backtest'));
    assert.ok(await parse('fit-model', '--to', '2016-06-30'));
  });

  it('refuse invalid dates and ids', async () => {
    for (const wrong of ['2016', '2016-02-30', '2016-13-01', 'today', '', '1467331200'])
      for (const option of ['--from', '--to'])
        await assert.rejects(parse('backtest', option, wrong), CommanderError, wrong);
    for (const wrong of ['x', '1.5', '-1', ''])
      await assert.rejects(parse('fit-model', '--tournament', wrong), CommanderError, wrong);
  });
});
