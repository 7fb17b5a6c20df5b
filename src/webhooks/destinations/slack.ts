/** A channel of Slack, through an incoming webhook. Servers that accept the same requests, such as Mattermost, also work. */
import { z } from 'zod';
import { chatKind, chatLanguage, chatSecret } from './chat.ts';
import type { DestinationKind } from './destination.ts';

const settings = z.strictObject({
  kind: z.literal('slack'),
  url: chatSecret('The address of an incoming webhook', /^https?:/, 'must be an https address'),
  language: chatLanguage,
});
type Settings = z.output<typeof settings>;

/** https://docs.slack.dev/messaging/formatting-message-text/#escaping */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const slack = {
  settings,
  ...chatKind<Settings>({
    secret: 'url',
    receiver: () => '',
    hosts: ['hooks.slack.com', 'hooks.slack-gov.com'],
    url: ({ url }) => url!,
    body: (text) => ({ text: escaped(text), mrkdwn: false, unfurl_links: false, unfurl_media: false }),
  }),
} satisfies DestinationKind<Settings>;
