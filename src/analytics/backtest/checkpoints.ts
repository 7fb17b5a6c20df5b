/** Stores finished backtest seasons on disk. If a run is killed, the next run skips these seasons. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MatchForecasts } from './match-forecasts.ts';

interface Stored {
  fingerprint: string;
  forecasts: MatchForecasts[];
}

/** @returns a hash; different inputs have different hashes */
export const hashInput = (input: unknown): string => createHash('sha256').update(JSON.stringify(input)).digest('hex');

export class Checkpoints {
  private readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Creates the folder if it does not exist. */
  static async open(folder: string): Promise<Checkpoints> {
    await mkdir(folder, { recursive: true });
    return new Checkpoints(folder);
  }

  /** @returns undefined if the checkpoint is missing or damaged, or was made from different input */
  async read(tournamentId: number, season: string, fingerprint: string): Promise<MatchForecasts[] | undefined> {
    const text = await readFile(this.fileOf(tournamentId, season), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    try {
      const stored = JSON.parse(text) as Stored;
      return stored.fingerprint === fingerprint ? stored.forecasts : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes atomically, so a partial file never exists. */
  async write(tournamentId: number, season: string, stored: Stored): Promise<void> {
    const file = this.fileOf(tournamentId, season);
    await writeFile(`${file}.part`, JSON.stringify(stored));
    await rename(`${file}.part`, file);
  }

  private fileOf(tournamentId: number, season: string): string {
    return join(this.folder, `${tournamentId}-${encodeURIComponent(season)}.json`);
  }
}
