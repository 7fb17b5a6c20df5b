/** A bar on standard error that shows the progress of a long computation. */
import { Presets, SingleBar } from 'cli-progress';

const STEPS = 1_000;

/** @param share completed share, 0 to 1 @param label description of the current step */
export type Progress = (share: number, label: string) => void;

/** Runs the work and shows the progress. */
export async function withProgressBar<T>(work: (onProgress: Progress) => Promise<T>): Promise<T> {
  const bar = new SingleBar({ format: '{bar} {percentage}% | {label}' }, Presets.shades_classic);
  bar.start(STEPS, 0, { label: '' });
  try {
    return await work((share, label) => bar.update(Math.round(share * STEPS), { label }));
  } finally {
    bar.stop();
  }
}
