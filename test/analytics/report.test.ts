import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percent, reliabilityTable, reportLines, score, toTable } from '../../src/analytics/backtest/report.ts';
import { type Backtest, runBacktest } from '../../src/analytics/backtest/run-backtest.ts';
import { calibrationPlots } from '../../src/web/models/calibration-plot.ts';

const bin = { from: 0, to: 1, count: 1_234, predicted: 0.5, observed: 0.25 };

describe('a backtest report', () => {
  it('has the parts in order, separated by a blank line, and section titles one level deeper', () => {
    const table = toTable(
      [
        ['Side', ({ name }) => name],
        ['RPS', ({ rps }) => score(rps)],
      ],
      [{ name: 'A', rps: 0.25 }],
    );
    const report = {
      title: 'Scores',
      notes: ['One.', 'Two.'],
      table,
      sections: [{ title: 'More', sections: [{ title: 'Deep', notes: ['Three.'] }] }],
    };
    assert.deepEqual(reportLines(report), [
      '# Scores',
      '',
      'One.',
      'Two.',
      '',
      '| Side |    RPS |',
      '| ---- | -----: |',
      '| A    | 0.2500 |',
      '',
      '## More',
      '',
      '### Deep',
      '',
      'Three.',
    ]);
    assert.deepEqual(reportLines({ notes: ['Nothing.'] }), ['Nothing.']);
  });

  it('shows shares in percent, large counts with commas, and a missing score as a dash', () => {
    assert.deepEqual([score(null), percent(0.1234)], ['–', '12.34']);
    assert.deepEqual(reliabilityTable([bin], 'Shots', 'Scored'), {
      columns: ['Predicted %', 'Scored %', 'Shots'],
      rows: [['50.00', '25.00', '1,234']],
    });
  });
});

describe('running a backtest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-run-backtest-'));
  after(() => rmSync(folder, { recursive: true }));
  const doubling: Backtest<number, { twice: number }> = {
    file: 'doubling',
    measure: async (value) => ({ twice: 2 * value }),
    describe: ({ twice }) => ({ notes: [`Twice is ${twice}.`] }),
    plots: () => ({
      plot: {
        title: 'Plot',
        description: 'One point.',
        series: [{ name: 'One', points: [bin] }],
        axes: { predicted: 'x', observed: 'y' },
      },
    }),
  };

  it('creates the folder, writes the scores, the text and the plots, prints the text, and returns the scores', async () => {
    const out = join(folder, 'new');
    assert.ok(!existsSync(out));
    const said: string[] = [];
    const output = { out, draw: calibrationPlots, say: (line: string) => said.push(line) };
    assert.deepEqual(await runBacktest(doubling, 4, output), { twice: 8 });
    assert.deepEqual(readdirSync(out).sort(), ['doubling.json', 'doubling.md', 'plot-dark.svg', 'plot-light.svg']);
    assert.equal(readFileSync(join(out, 'doubling.json'), 'utf8'), '{\n  "twice": 8\n}\n');
    assert.equal(readFileSync(join(out, 'doubling.md'), 'utf8'), 'Twice is 8.\n');
    assert.deepEqual(said, ['Twice is 8.']);
  });
});
