/** A chat of Telegram, through a bot that may write to it. */
import { z } from 'zod';
import { readMember } from '../../runtime/unknown-values.ts';
import { chatKind, chatLanguage, chatSecret } from './chat.ts';
import type { DestinationKind } from './destination.ts';

const settings = z.strictObject({
  kind: z.literal('telegram'),
  token: chatSecret("The bot's token", /^\d{1,20}:[A-Za-z0-9_-]{10,200}$/, 'must be the token of a bot'),
  chat_id: z
    .string()
    .regex(
      /^(-?[1-9]\d{0,19}|@[A-Za-z][A-Za-z0-9_]{3,31})$/,
      'must be the id of a chat, or @ and the name of a channel',
    )
    .meta({ description: 'The id of a chat, or `@` and the name of a channel' }),
  api: z
    .string()
    .max(300)
    .regex(/^https?:\/\/[^/?#@\s\\]+$/, 'must be an address without a path')
    .default('https://api.telegram.org')
    .meta({ description: 'A server of the Bot API' }),
  language: chatLanguage,
});
type Settings = z.output<typeof settings>;

/** https://core.telegram.org/bots/api#responseparameters */
function requestedWait(reply: string): string | null {
  try {
    const seconds = readMember(readMember(JSON.parse(reply), 'parameters'), 'retry_after');
    return typeof seconds === 'number' ? String(seconds) : null;
  } catch {
    return null;
  }
}

export const telegram = {
  settings,
  ...chatKind<Settings>({
    secret: 'token',
    receiver: ({ api }) => api,
    hosts: ['api.telegram.org'],
    url: ({ api, token }) => `${api}/bot${token}/sendMessage`,
    shown: ({ chat_id: chat }) => `/${chat}`,
    // Without `parse_mode`, the text is not read as markup.
    body: (text, { chat_id }) => ({ chat_id, text, link_preview_options: { is_disabled: true } }),
    retryAfter: requestedWait,
  }),
} satisfies DestinationKind<Settings>;
