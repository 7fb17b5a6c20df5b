/** Data and files for plots of predicted against observed frequencies. The pages draw the plots. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface CalibrationPlot {
  /** Short description for screen readers, with instructions for reading the plot. */
  title: string;
  description: string;
  /** Up to three series. Points are ordered by rising prediction, and both values lie between 0 and 1. */
  series: readonly { name: string; points: readonly { predicted: number; observed: number; count: number }[] }[];
  axes: { predicted: string; observed: string };
}

interface Drawn {
  theme: string;
  svg: string;
}

/** Draws a plot once for each theme. */
export type DrawThemes = (plot: CalibrationPlot) => readonly Drawn[] | Promise<readonly Drawn[]>;

/** Writes the files `<name>-<theme>.svg` to a folder. */
export async function writePlots(folder: string, name: string, plot: CalibrationPlot, draw: DrawThemes): Promise<void> {
  for (const { theme, svg } of await draw(plot)) await writeFile(join(folder, `${name}-${theme}.svg`), svg);
}
