/** `touchline feed`, with subcommands. */
import type { Command } from 'commander';
import type { ApplyDeps } from '../apply/index.ts';
import { systemClock } from '../runtime/clock.ts';
import { addTokenCommands, type WithTokens } from './token-command.ts';

interface FeedContext {
  /** Runs `work` with the stores, and then makes sure that all changes get change cursors. */
  withApply(work: (deps: ApplyDeps) => Promise<void>): Promise<void>;
  withTokens: WithTokens;
  /** Parses an id. */
  id(text: string): number;
}

export function addFeedCommands(touchline: Command, context: FeedContext, say: (line: string) => void): void {
  const feed = touchline
    .command('feed')
    .description('apply feed updates (JSON or NDJSON) from a file, or - for standard input')
    .argument('<file>')
    .exitOverride()
    .action((file: string) =>
      context.withApply(async (deps) => {
        const { feedFile } = await import('./feed-file.ts');
        await feedFile(deps, file, say);
      }),
    );
  feed
    .command('check')
    .description('validate feed updates from a file, or - for standard input, and explain each fault; writes nothing')
    .argument('<file>')
    .action(async (file: string) => {
      const { checkFile } = await import('./feed-file.ts');
      await checkFile(file, systemClock, say);
    });
  addTokenCommands(feed, context.id, context.withTokens, say);
}
