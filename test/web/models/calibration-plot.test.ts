import assert from 'node:assert/strict';
import type { CalibrationPlot } from '../../../src/analytics/backtest/calibration-plot.ts';
import { PALETTES, type Theme } from '../../../src/site/plots/palette.ts';
import { calibrationPlot } from '../../../src/web/models/calibration-plot.ts';

const HOSTILE = `</title><script>alert("1")</script>&'`;
const ESCAPED = '&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;';
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, value]) => value!);

describe('calibration plot', () => {
  const draw = ({ theme = 'light', ...over }: Partial<CalibrationPlot & { theme: Theme }> = {}) =>
    calibrationPlot(
      {
        title: 'Predicted and observed',
        description: 'On the line: right.',
        series: ['Home', 'Draw', 'Away'].map((name) => ({
          name,
          points: [{ predicted: 0.25, observed: 0.5, count: 7 }],
        })),
        axes: { predicted: 'Predicted, %', observed: 'Observed, %' },
        ...over,
      },
      theme,
    ).text;
  /** Returns the pixel position for a value on the axes, derived from the dashed diagonal. */
  const [, left, bottom, right, top] = /d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"/.exec(draw())!.map(Number);
  const circles = (text: string) =>
    [...text.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" r="5"\/><\/g>/g)].map((found) => [
      Number(found[1]),
      Number(found[2]),
    ]);

  it('has points at the right frequencies on the axes', () => {
    const points = [0, 0.25, 1].map((value) => ({ predicted: value, observed: 1 - value, count: 1 }));
    const text = draw({ series: [{ name: 'Home', points }] });
    const at = (from: number, to: number, share: number) => from + share * (to - from);
    assert.deepEqual(
      circles(text).slice(0, 3),
      [0, 0.25, 1].map((value) => [at(left!, right!, value), at(bottom!, top!, 1 - value)]),
    );
    assert.deepEqual(all(text, /<title>([^<]*)<\/title>/g), [
      'Home: 0 % → 100 % (1)',
      'Home: 25 % → 75 % (1)',
      'Home: 100 % → 0 % (1)',
    ]);
  });

  it('has series that differ in colour and shape and have names', () => {
    const text = draw();
    for (const shape of [/<circle/g, /<rect/g, /l6 6/g]) assert.equal(text.match(shape)?.length, 2, `${shape}`);
    assert.deepEqual(all(text, /<text x="[\d.]+" y="514">([^<]*)</g), ['Home', 'Draw', 'Away']);
    for (const colour of [PALETTES.light.home, PALETTES.light.text, PALETTES.light.away])
      assert.ok(text.includes(`fill="${colour}"`));
    assert.ok(draw({ theme: 'dark' }).includes(PALETTES.dark.home));
  });

  it('is a complete document even without points or with hostile names', () => {
    assert.deepEqual(circles(draw({ series: [{ name: 'Home', points: [] }] })), [[left! + 5, 509]]);
    const text = draw({ title: HOSTILE, description: HOSTILE, series: [{ name: HOSTILE, points: [] }] });
    assert.equal(text.split(ESCAPED).length - 1, 3);
    assert.ok(!text.includes('<script>'));
    assert.match(text, /^<svg xmlns[^>]*aria-labelledby="title description">[\s\S]*<\/svg>\n$/);
  });
});
