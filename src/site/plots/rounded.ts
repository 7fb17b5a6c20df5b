/** Rounds to two decimals. That is precise enough for a coordinate, and keeps a chart with hundreds of shapes small. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;
