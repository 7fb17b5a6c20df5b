/** The colours of a team's home shirt, and how well two colours are told apart. Colours are written as `#rrggbb`. */

export const SHIRT_PATTERNS = [
  'plain',
  /** Vertical. */
  'stripes',
  /** Horizontal. */
  'hoops',
  'halves',
  'quarters',
  /** A band from the left shoulder to the right hip. */
  'sash',
  /** A horizontal band on the chest. */
  'band',
  'sleeves',
  /** One wide vertical stripe. */
  'centre',
  'chevron',
  'checks',
  'cross',
  /** Divided from shoulder to hip. */
  'diagonal',
  /** Shoulders of another colour. */
  'yoke',
] as const;
export type ShirtPattern = (typeof SHIRT_PATTERNS)[number];

export interface TeamColours {
  pattern: ShirtPattern;
  /** Two or three. First the main colour, then the pattern's other one. A plain shirt's second colour is that of its trim. */
  colours: readonly [main: string, second: string, third?: string];
}

/** Red, green and blue between 0 and 1. */
type Channels = [red: number, green: number, blue: number];

const channels = (colour: string): Channels =>
  [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255) as Channels;
/** Converts a channel of sRGB to one that is proportional to light. */
const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
const light = (colour: string) => channels(colour).map(linear) as Channels;

const luminance = (colour: string) => {
  const [red, green, blue] = light(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Returns the contrast ratio of WCAG 2, between 1 and 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

/** Returns a colour with a share of another one. @param share between 0 and 1 */
export function mixed(colour: string, other: string, share: number): string {
  const [from, to] = [channels(colour), channels(other)];
  const hex = from.map((channel, index) => {
    const value = Math.round((channel + (to[index]! - channel) * share) * 255);
    return value.toString(16).padStart(2, '0');
  });
  return `#${hex.join('')}`;
}

/** Whether a colour is nearly grey, or black or white. */
export function isGrey(colour: string): boolean {
  const values = channels(colour);
  return Math.max(...values) - Math.min(...values) < GREY_RANGE;
}
const GREY_RANGE = 0.12;

type Matrix = readonly [Channels, Channels, Channels];
const apply = (matrix: Matrix, [a, b, c]: Channels) =>
  matrix.map((row) => row[0] * a + row[1] * b + row[2] * c) as Channels;

/**
 * How people see colours who lack the cones for red or for green, which is 2 % of men. Matrices of Machado, Oliveira and Fernandes,
 * 2009, for severity 1, on channels that are proportional to light.
 */
const EYES: readonly Matrix[] = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
];

/** Björn Ottosson's Oklab, 2020. */
const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

/** A colour in Oklab as each kind of eye sees it. Colours are few: those of the list and their shades. */
const seen = new Map<string, Channels[]>();

function seenAs(colour: string): Channels[] {
  const known = seen.get(colour);
  if (known !== undefined) return known;
  const made = EYES.map((eye) => {
    const cones = apply(TO_CONES, apply(eye, light(colour)).map((channel) => Math.max(0, channel)) as Channels);
    return apply(TO_LAB, cones.map(Math.cbrt) as Channels);
  });
  seen.set(colour, made);
  return made;
}

/**
 * Returns how different two colours look to those who tell them apart least: the distance in Oklab, between 0 and 1. Red and green of
 * one lightness differ much for most people, and little for some.
 */
export function difference(one: string, other: string): number {
  const others = seenAs(other);
  const distances = seenAs(one).map((own, eye) =>
    Math.hypot(...own.map((value, index) => value - others[eye]![index]!)),
  );
  return Math.min(...distances);
}
