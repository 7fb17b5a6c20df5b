/** Rounds to two decimals: a coordinate needs no more, and a chart of hundreds of shapes stays small. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;
