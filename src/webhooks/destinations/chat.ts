/** The common part of chat services: an event is one line of text, which an HTTP request sends to a host of the service. */
import { z } from 'zod';
import type { AuditEvent } from '../../accounts/index.ts';
import type { Lang } from '../../http/index.ts';
import type { Guard } from '../../outbound/index.ts';
import { eventText } from '../../site/event-text.ts';
import type { envelope } from '../../wire/envelope.ts';
import type { Connection, ConnectionContext, DestinationKind, Message, Reply } from './destination.ts';

export const chatLanguage = z.enum(['en', 'ru']).default('en').meta({ description: 'Language of the messages' });
/** An address or a token that allows messages to the chat. */
export const chatSecret = (what: string, form: RegExp, problem: string) =>
  z
    .string()
    .max(2_048)
    .regex(form, problem)
    .nullable()
    .default(null)
    .meta({ description: `${what}. Stored encrypted. Null in replies; null in a change keeps it` });

/** A sign or an emoji, and a minute or an over. */
const LEAD = /^(?<lead>[^\p{L}\p{N}\s]+(?: [\d.+]+′)?) (?<rest>.+)$/su;
/** Events about the account's subscriptions. */
const OWN: Readonly<Record<string, Record<Lang, string>>> = {
  'webhook.test': { en: 'A test message from Touchline', ru: 'Проверочное сообщение Touchline' },
  'webhook.failing': { en: '⚠ Deliveries fail', ru: '⚠ События не доставляются' },
  'webhook.disabled': { en: '⛔ Subscription disabled', ru: '⛔ Подписка отключена' },
  'webhook.recovered': { en: '✅ Deliveries succeed again', ru: '✅ События снова доставляются' },
};

interface OwnData {
  subscription_id: number;
  host?: string;
  description?: string;
}

function ownText(
  { type, data: { subscription_id: id, host, description } }: { type: string; data: OwnData },
  lang: Lang,
) {
  const text = OWN[type]?.[lang] ?? null;
  if (text === null || host === undefined) return text;
  return `${text}: ${description || host} (${id})`;
}

/** Action and target are words of the audit log, which are the same in all languages. */
const accountText = ({ actor, action, target }: AuditEvent): string =>
  `⚙ ${action}${target === null ? '' : `: ${target}`} (${actor})`;

/**
 * Returns an event as one line without markup, such as `⚽ 78′ Arsenal 2–1 Chelsea · Saka`.
 * @returns null for an event that fans do not care about
 */
export function chatText(rendered: string, lang: Lang): string | null {
  const event = JSON.parse(rendered) as { type: string; data: unknown };
  if (event.type.startsWith('webhook.')) return ownText(event as Parameters<typeof ownText>[0], lang);
  if (event.type === 'account.changed') return accountText(event.data as AuditEvent);
  const text = eventText(event as Pick<z.infer<typeof envelope>, 'type' | 'data'>, lang);
  if (text === null) return null;
  const { lead, rest = text.body } = LEAD.exec(text.body)?.groups ?? {};
  return `${lead === undefined ? '' : `${lead} `}${text.title} · ${rest}`;
}

/** A zero-width space after an `@` keeps chat services from reading a mention. */
const withoutMentions = (text: string): string => text.replaceAll('@', '@\u200b');

/** Event types without a line of text, for which an envelope need not be parsed. */
const SILENT = new Set<string>(['match.odds_changed', 'match.statistics_updated', 'match.over_ended']);

interface ChatSettings {
  kind: string;
  language: Lang;
}

/** The part in which chat services differ. */
interface ChatKind<S extends ChatSettings> extends Pick<DestinationKind<S>, 'secret' | 'receiver'> {
  /** The service's own hosts. Another host needs an entry in WEBHOOK_ALLOW if a receiver has to agree. */
  hosts: readonly string[];
  /** The address that requests go to. It contains the secret. */
  url(settings: S): string;
  /** The text after the host. */
  shown?(settings: S): string;
  body(text: string, settings: S): Record<string, unknown>;
  /** Reads how many seconds the service asks to wait, if the body of a reply says so. */
  retryAfter?(reply: string): string | null;
}

/** Makes a kind of destination of a chat service. */
export function chatKind<S extends ChatSettings>({ hosts, url, shown, ...kind }: ChatKind<S>) {
  const address = (settings: S) => `${settings.kind}://${new URL(url(settings)).host}${shown?.(settings) ?? ''}`;
  return {
    ...kind,
    isSigned: false,
    needsSecret: () => true,
    address,
    async check(settings: S, guard: Guard) {
      await guard.check(guard.parse(url(settings)));
    },
    isAuthorized: (settings: S) => hosts.includes(new URL(url(settings)).hostname),
    canSend: (settings: S, { type, envelope }: { type: string; envelope: string }) =>
      !SILENT.has(type) && chatText(envelope, settings.language) !== null,
    open: (settings: S, { sender }: ConnectionContext): Connection => ({
      async send({ envelope: rendered, attempt }: Message): Promise<Reply> {
        const text = chatText(rendered, settings.language) ?? '';
        const content = Buffer.from(JSON.stringify(kind.body(withoutMentions(text), settings)));
        const headers = { 'Content-Type': 'application/json; charset=utf-8', 'User-Agent': 'Touchline' };
        const { durationMs: _, ...reply } = await sender.send(new URL(url(settings)), headers, content, attempt);
        const retryAfter = reply.retryAfter ?? (reply.reply === null ? null : (kind.retryAfter?.(reply.reply) ?? null));
        return { ...reply, retryAfter };
      },
      close() {},
    }),
  };
}
