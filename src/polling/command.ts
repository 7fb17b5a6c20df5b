/** Defines the commands `touchline record` and `touchline serve-recording`. record-and-replay.ts does the work. */
import type { Command } from 'commander';
import { readVariables } from '../config/variable.ts';
import { stopSignal } from '../runtime/stop-signal.ts';

/**
 * @param positive parses a number above 0
 * @param port parses a port
 */
export function addRecordingCommands(
  touchline: Command,
  { positive, port }: Record<'positive' | 'port', (text: string) => number>,
  say: (line: string) => void,
): void {
  touchline
    .command('record')
    .description('record the raw replies of a public source, such as openligadb:bl1: see docs/providers.md')
    .argument('<source...>')
    .requiredOption('--output <folder>', 'a new folder for the recording')
    .action(async (sources: string[], { output }: { output: string }) => {
      const [{ recordCommand }, { pollingVariables }] = [
        await import('./record-and-replay.ts'),
        await import('./config.ts'),
      ];
      const config = readVariables(process.env, pollingVariables, () => []);
      await recordCommand(config, sources, output, stopSignal(), say);
    });
  touchline
    .command('serve-recording')
    .description('serve a recording on a local port, as the source served the replies')
    .argument('<folder>')
    .option('--speed <times>', 'speed relative to real time', positive, 1)
    .option('--port <port>', 'port to listen on; 0 takes a free port', port, 0)
    .option('--as-recorded', 'keep the times in the replies, instead of moving them to the present')
    .action(async (folder: string, options: { speed: number; port: number; asRecorded?: boolean }) => {
      const { serveRecordingCommand } = await import('./record-and-replay.ts');
      await serveRecordingCommand(folder, options, stopSignal(), say);
    });
}
