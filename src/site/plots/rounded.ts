/** Rounds to two decimals, because a coordinate needs no more, and a chart with hundreds of shapes stays small. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;
