/** `touchline feed token create|list|revoke` manages the tokens with which one provider writes. */
import type { Command } from 'commander';
import { OPERATOR } from '../accounts/index.ts';
import { createFeedToken, type FeedToken, listFeedTokens, revokeFeedToken, type TokenDeps } from './feed-tokens.ts';

export type WithTokens = (work: (deps: TokenDeps) => Promise<void>) => Promise<void>;
type Say = (line: string) => void;

const names = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

export function addTokenCommands(feed: Command, id: (text: string) => number, withTokens: WithTokens, say: Say): void {
  const token = feed
    .command('token')
    .description('manage the tokens with which a single provider writes')
    .exitOverride();
  token
    .command('create')
    .description('create a token for a provider, and print its id and the token, which is shown once')
    .argument('<provider>', 'the provider that updates with this token must name')
    .option('--sports <list>', 'the only sports that its updates may have: football,tennis', names)
    .option('--signed', 'the token signs requests instead of being sent with them')
    .action((provider: string, { sports = null, signed = false }: { sports?: string[] | null; signed?: boolean }) =>
      withTokens(async (deps) => {
        const made = await createFeedToken(deps, { provider, sports, signs: signed }, OPERATOR);
        say(`${made.id} ${made.token}`);
      }),
    );
  token
    .command('list')
    .description('list the tokens by provider, newest first')
    .argument('[provider]', 'only the tokens of this provider')
    .action((provider?: string) =>
      withTokens(async ({ pool }) => {
        for (const one of await listFeedTokens(pool, provider)) say(tokenText(one));
      }),
    );
  token
    .command('revoke')
    .description('revoke a token, so that requests with this token are refused from now on')
    .argument('<id>', 'the id of the token, as `touchline feed token list` shows it', id)
    .action((tokenId: number) =>
      withTokens(async (deps) => {
        const { provider } = await revokeFeedToken(deps, tokenId, OPERATOR);
        say(`feed token ${tokenId} of ${provider} is revoked`);
      }),
    );
}

function tokenText({
  id,
  provider,
  sports,
  signs,
  created_at,
  created_by,
  last_used_at,
  revoked_at,
  managed,
}: FeedToken): string {
  const parts = [
    `${id} ${provider}`,
    sports === null ? 'all sports' : sports.join(' '),
    signs && 'signs',
    `created ${created_at} by ${created_by}`,
    last_used_at === null ? 'never used' : `last used ${last_used_at}`,
    revoked_at !== null && `revoked ${revoked_at}`,
    managed !== null && `declared by FeedToken ${managed.namespace}/${managed.name}`,
  ];
  return parts.filter(Boolean).join(', ');
}
