/** A channel of Discord, through a webhook of the channel. */
import { z } from 'zod';
import { chatKind, chatLanguage, chatSecret } from './chat.ts';
import type { DestinationKind } from './destination.ts';

const settings = z.strictObject({
  kind: z.literal('discord'),
  url: chatSecret('The address of a webhook', /^https?:/, 'must be an https address'),
  language: chatLanguage,
});
type Settings = z.output<typeof settings>;

/** Characters that begin markup in Discord, and the colon of a link. https://docs.discord.com/developers/reference#message-formatting */
const escaped = (text: string) => text.replaceAll(/[\\*_~`|>#[\]()<:-]/g, '\\$&');
/** Flag: no previews of links. */
const SUPPRESS_EMBEDS = 4;

export const discord = {
  settings,
  ...chatKind<Settings>({
    secret: 'url',
    receiver: () => '',
    hosts: ['discord.com', 'discordapp.com'],
    url: ({ url }) => url!,
    body: (text) => ({ content: escaped(text), allowed_mentions: { parse: [] }, flags: SUPPRESS_EMBEDS }),
  }),
} satisfies DestinationKind<Settings>;
