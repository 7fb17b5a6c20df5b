import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { countBars } from '../../src/site/plots/count-bars.ts';
import { heatMap } from '../../src/site/plots/heat-map.ts';
import { lineChart } from '../../src/site/plots/line-chart.ts';
import { type OpposedBars, opposedBars } from '../../src/site/plots/opposed-bars.ts';
import { PALETTES } from '../../src/site/plots/palette.ts';
import { placeChart } from '../../src/site/plots/place-chart.ts';
import { shareBar } from '../../src/site/plots/share-bar.ts';
import { type Shot, shotMap } from '../../src/site/plots/shot-map.ts';

const HOSTILE = `</title><script>alert("1")</script>&'`;
const ESCAPED = '&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;';
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, value]) => value!);

describe('charts', () => {
  describe('of places', () => {
    const linePoints = (text: string) =>
      all(text, /class="line" d="M([^"]*)"/g)[0]!
        .split('L')
        .map((point) => point.split(' ').map(Number));

    it('have the first place at the top and the last one at the bottom', () => {
      const { text } = placeChart({ positions: [20, 1, 10], places: 20, labels: ['1', '2', '3'] });
      const [first, second, third] = linePoints(text) as [number, number][];
      assert.deepEqual([first![1], second![1]], [128, 10]);
      assert.ok(third![1] > 10 && third![1] < 128 && first![0] < second![0] && second![0] < third![0]);
      assert.deepEqual(all(text, /text-anchor="end">(\d+)</g), ['1', '10', '20']);
      assert.deepEqual(all(text, /text-anchor="middle">(\d+)</g), ['1', '2', '3']);
    });

    it('begin where the side first has a place, and label only as many rounds as there is room for', () => {
      const positions = [null, ...Array.from({ length: 37 }, () => 2)];
      const labels = positions.map((_, index) => `Round ${index + 1}`);
      const { text } = placeChart({ positions, places: 2, labels });
      assert.equal(linePoints(text).length, 37);
      assert.ok(linePoints(text)[0]![0]! > 24);
      assert.ok(all(text, /text-anchor="middle">(Round \d+)</g).length <= 4);
    });
  });

  describe('with opposed bars', () => {
    const draw = (over: Partial<OpposedBars>) =>
      opposedBars({
        title: 'Pressure',
        description: 'Above: home.',
        bars: [],
        max: 100,
        steps: 90,
        labels: [],
        dividers: [],
        marks: [],
        theme: 'light',
        colours: null,
        ...over,
      }).text;
    /** For each bar of a colour, returns where it starts, and how far it goes up (negative) or down. */
    const barsOf = (text: string, fill: string) => {
      const [path = ''] = all(text, new RegExp(`<path fill="${fill}" d="([^"]*)"`, 'g'));
      return all(path, /M([^M]*)/g).map((bar) => {
        const [, x, straight, corner] = /^([\d.]+) 104v(-?[\d.]+)q0 (-?[\d.]+)/.exec(bar)!;
        return { x: Number(x), length: Number(straight) + Number(corner) };
      });
    };
    const { home, away } = PALETTES.light;

    it('have bars that stand on the line for positive values, hang from it for negative ones, and grow with the values', () => {
      const text = draw({
        bars: [
          { step: 1, value: 50 },
          { step: 2, value: 100 },
          { step: 3, value: -100 },
        ],
      });
      const [half, whole] = barsOf(text, home);
      assert.equal(half?.length, -42);
      assert.equal(whole?.length, -84);
      assert.deepEqual(
        barsOf(text, away).map(({ length }) => length),
        [84],
      );
      assert.ok(half!.x < whole!.x && whole!.x < barsOf(text, away)[0]!.x, 'in the order of their steps');
    });

    it('leave out values of 0 and steps beyond the axis, and the axis ends at the largest value', () => {
      const bars = [
        { step: 0, value: 9 },
        { step: 91, value: 9 },
        { step: 5, value: 0 },
        { step: 6, value: 900 },
      ];
      const text = draw({ bars });
      assert.deepEqual(
        barsOf(text, home).map(({ length }) => length),
        [-84],
      );
      assert.deepEqual(barsOf(text, away), []);
    });

    it('have marks and labels inside the picture', () => {
      const text = draw({
        marks: [
          { step: 1, above: true },
          { step: 90, above: false },
          { step: 200, above: true },
        ],
        labels: [
          { step: 1, text: '1′' },
          { step: 90, text: '90′' },
        ],
      });
      const circles = [...text.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" r="7" fill="([^"]+)"/g)];
      assert.deepEqual(
        circles.map(([, , cy, fill]) => [Number(cy), fill]),
        [
          [11, home],
          [197, away],
        ],
      );
      for (const x of all(text, /<text x="([\d.]+)"/g)) assert.ok(Number(x) > 10 && Number(x) < 710, x);
      assert.deepEqual(all(text, /<text[^>]*>([^<]*)/g), ['1′', '90′']);
    });

    it('have a divider at each step, except at the end of the axis', () => {
      assert.equal(all(draw({ dividers: [45, 90, 105] }), /(stroke-dasharray)/g).length, 1);
      assert.equal(all(draw({ dividers: [45, 90, 105], steps: 120 }), /(stroke-dasharray)/g).length, 3);
    });

    it('have texts that describe the chart and are escaped', () => {
      const text = draw({ title: HOSTILE, description: HOSTILE, labels: [{ step: 3, text: HOSTILE }] });
      assert.match(text, /^<svg [^>]*role="img" aria-labelledby="title description">/);
      assert.ok(text.includes(`<title id="title">${ESCAPED}</title><desc id="description">${ESCAPED}</desc>`));
      assert.doesNotMatch(text, /<script|<\/title>.*<\/title>/);
    });

    it('have bars that are legible on page panels in both themes, and use the stylesheet’s colours', () => {
      const css = readFileSync(new URL('../../src/site/assets/site.css', import.meta.url), 'utf8');
      const variables = (name: string) =>
        new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(css)!.slice(1);
      const [lightPaper, darkPaper] = variables('paper');
      assert.deepEqual(variables('home'), [PALETTES.light.home, PALETTES.dark.home]);
      assert.deepEqual(variables('away'), [PALETTES.light.away, PALETTES.dark.away]);
      for (const [paper, palette] of [
        [lightPaper!, PALETTES.light],
        [darkPaper!, PALETTES.dark],
      ] as const) {
        // WCAG 2.1 requires 4.5 for text and 3 for graphics.
        assert.ok(contrast(palette.text, paper) >= 4.5, `text ${contrast(palette.text, paper)}`);
        for (const name of ['home', 'away', 'ink'] as const) {
          assert.ok(contrast(palette[name], paper) >= 3, `${name} ${contrast(palette[name], paper)}`);
        }
      }
    });
  });

  it('with share bars lay parts side by side', () => {
    const { text } = shareBar([
      { share: 61.504, kind: 'home' },
      { share: 38.496, kind: 'away' },
    ]);
    assert.match(text, /^<svg [^>]*aria-hidden="true">/);
    assert.ok(text.includes('<rect class="home" x="0" y="0" width="61.5" height="4"/>'));
    assert.ok(text.includes('<rect class="away" x="61.5" y="0" width="38.5" height="4"/>'));
  });

  describe('with shots', () => {
    const shot = (over: Partial<Shot>): Shot => ({
      side: 'home',
      x: 90,
      y: 25,
      xg: 0.25,
      scored: false,
      label: 'A shot',
      ...over,
    });
    const dots = (...shots: Shot[]) =>
      [
        ...shotMap(shots, 'Shots', 'Sizes').text.matchAll(
          /<circle class="([^"]+)" cx="([^"]+)" cy="([^"]+)" r="([^"]+)"/g,
        ),
      ].map(([, ...values]) => values);

    it('have the home side attack to the right and the visitors to the left', () => {
      assert.deepEqual(dots(shot({}), shot({ side: 'away', scored: true })), [
        ['home try', '94.5', '17.0', '1.70'],
        ['away goal', '10.5', '51.0', '1.70'],
      ]);
    });

    it('show expected goals by a shot’s area, and a shot without them is small', () => {
      const [[, , , quarter], [, , , whole], [, , , unknown]] = dots(shot({}), shot({ xg: 1 }), shot({ xg: null })) as [
        string[],
        string[],
        string[],
      ];
      assert.equal(Number(whole) / Number(quarter), 2);
      assert.equal(unknown, '0.80');
    });

    it('have texts that describe the map and are escaped', () => {
      const { text } = shotMap([shot({ label: HOSTILE })], HOSTILE, HOSTILE);
      assert.ok(text.includes(`role="img" aria-label="${ESCAPED}"><desc>${ESCAPED}</desc>`));
      assert.ok(text.includes(`<title>${ESCAPED}</title>`));
    });
  });

  describe('with heat maps', () => {
    const draw = (shares: number[][]) =>
      heatMap(shares, { label: `Scores ${HOSTILE}`, lang: 'en', describe: (row, column) => `${row}:${column}` }).text;
    it('have a cell for each share, the strongest colour for the largest, with a text', () => {
      const text = draw([
        [0.05, 0.2],
        [0.1, 0],
      ]);
      assert.deepEqual(all(text, /fill-opacity="([\d.]+)"/g), ['0.15', '0.50', '0.27', '0.04']);
      assert.deepEqual(all(text, /<title>([^<]+)<\/title>/g), ['0:0', '0:1', '1:0', '1:1']);
      assert.deepEqual(all(text, /text-anchor="middle">([\d.]+)<\/text><\/g>/g), ['5', '20', '10', '0']);
      assert.ok(text.includes(ESCAPED) && !text.includes('<script>'));
    });
    it('are drawn even without shares', () => {
      assert.doesNotMatch(draw([]) + draw([[0]]), /NaN|Infinity|undefined/);
    });
  });

  describe('with lines over time', () => {
    it('have the values, three levels and the years', () => {
      const text = lineChart([
        { date: '2022-06-30', value: 1_500 },
        { date: '2023-06-30', value: 1_600 },
        { date: '2024-06-30', value: 1_550 },
      ]).text;
      assert.deepEqual(all(text, /text-anchor="end">(\d+)</g), ['1500', '1550', '1600']);
      assert.deepEqual(all(text, /text-anchor="middle">(\d{4})</g), ['2023', '2024']);
      const line = /class="line" d="M([^"]+)"/
        .exec(text)![1]!
        .split('L')
        .map((point) => point.split(' ').map(Number));
      assert.deepEqual([line[0]![0], line.at(-1)![0]], [44, 712]);
      assert.ok(line[1]![1]! < line[2]![1]! && line[2]![1]! < line[0]![1]!, 'the largest value is the highest');
      assert.doesNotMatch(
        lineChart([
          { date: '2024-01-01', value: 1 },
          { date: '2024-01-01', value: 1 },
        ]).text,
        /NaN/,
      );
    });
  });

  describe('with count bars', () => {
    it('have proportional heights, counts and labels', () => {
      const classes = [
        { label: '1–15', count: 4 },
        { label: '16–30', count: 2 },
        { label: '31–45', count: 0 },
      ];
      const text = countBars(HOSTILE, classes).text;
      const heights = all(text, /height="([\d.]+)"/g).map(Number);
      assert.deepEqual(heights, [96, 48, 0]);
      assert.deepEqual(all(text, />(\d+)<\/text>/g), ['4', '2', '0']);
      assert.ok(text.includes('>16–30<') && text.includes(ESCAPED));
    });
  });
});

/** Returns the contrast between two colours (#rrggbb) by WCAG 2.1. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}
