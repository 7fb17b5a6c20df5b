/** Public exports: plots. */
export { chanceChart } from './chance-chart.ts';
export { countBars } from './count-bars.ts';
export { type DayCount, dayBars } from './day-bars.ts';
export { heatMap } from './heat-map.ts';
export { type ChartInnings, overBars, wormChart } from './innings-charts.ts';
export { lineChart } from './line-chart.ts';
export { HEIGHT, opposedBars, WIDTH } from './opposed-bars.ts';
export { PALETTES, type Palette, THEMES, type Theme } from './palette.ts';
export { placeChart } from './place-chart.ts';
export { raceChart } from './race-chart.ts';
export { rounded } from './rounded.ts';
export { shareBar } from './share-bar.ts';
export { shotMap } from './shot-map.ts';
export { type SideColours, sideColours } from './side-colours.ts';
