/** Draws the pattern of a shirt as shapes in a square. Crests and kits are cut out of it. */
import type { ShirtPattern, TeamColours } from '../wire/team-colours.ts';

/** Side length of the square. */
export const PATTERN_SIZE = 100;

/** A filled SVG path. */
export interface Shape {
  fill: string;
  d: string;
}

const PARTS = 5;
const PART = PATTERN_SIZE / PARTS;
const cell = (column: number, row: number) => `M${column * PART} ${row * PART}h${PART}v${PART}h-${PART}Z`;
const cells = Array.from({ length: PARTS ** 2 }, (_, index) => [index % PARTS, Math.floor(index / PARTS)] as const);

/** The path of the second colour on the first one. */
const SECOND: Record<ShirtPattern, string> = {
  plain: '',
  stripes: 'M20 0h20v100h-20ZM60 0h20v100h-20Z',
  hoops: 'M0 20h100v20h-100ZM0 60h100v20h-100Z',
  halves: 'M50 0h50v100h-50Z',
  quarters: 'M50 0h50v50h-50ZM0 50h50v50h-50Z',
  sash: 'M66 0H100L34 100H0Z',
  band: 'M0 34h100v26h-100Z',
  sleeves: 'M0 0h21v100h-21ZM79 0h21v100h-21Z',
  centre: 'M33 0h34v100h-34Z',
  chevron: 'M0 8V36L50 76 100 36V8L50 48Z',
  checks: cells
    .filter(([column, row]) => (column + row) % 2 === 1)
    .map(([column, row]) => cell(column, row))
    .join(''),
  cross: 'M40 0h20v30h40v20h-40v50h-20v-50h-40v-20h40Z',
  diagonal: 'M100 0V100H0Z',
  yoke: 'M0 0H100V26L50 50 0 26Z',
};

/** Returns the shapes that fill the square, in the order in which they are drawn. */
export function patternShapes({ pattern, colours: [main, second] }: TeamColours): Shape[] {
  const ground = { fill: main, d: `M0 0h${PATTERN_SIZE}v${PATTERN_SIZE}h-${PATTERN_SIZE}Z` };
  return pattern === 'plain' ? [ground] : [ground, { fill: second, d: SECOND[pattern] }];
}
