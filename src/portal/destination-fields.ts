/** Fields of the subscription form for a destination that is not a URL. */
import type { Lang } from '../http/index.ts';
import { checkbox, field, hidden, readText, selectField } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { DESTINATIONS } from '../site/texts/index.ts';
import { DESTINATION_KINDS, type DestinationSettings, parseDestination } from '../webhooks/destinations/index.ts';

/** The settings as texts, as a form shows and sends them. A secret is empty if it is not changed. */
export type DestinationDraft = Readonly<Record<string, string>> & { kind: string };

const LANGUAGES = [
  ['en', 'English', 'en'],
  ['ru', 'Русский', 'ru'],
] as const;
const MECHANISMS = ['scram-sha-512', 'scram-sha-256', 'plain'] as const;
const CHECKED = 'on';

type Part = (draft: DestinationDraft, lang: Lang) => Html;
/** The forms of values that are not texts. */
const LISTS = new Set(['brokers']);
const BOXES = new Set(['tls', 'home_assistant']);
const SECRETS = new Set(['password', 'token', 'url']);
const OPTIONAL = new Set(['username', 'password']);

type Name = keyof (typeof DESTINATIONS)['en']['fields'];
const text =
  (name: Name): Part =>
  (draft, lang) =>
    field({
      name,
      label: DESTINATIONS[lang].fields[name],
      value: draft[name] ?? '',
      hint: DESTINATIONS[lang].hints[name as keyof typeof DESTINATIONS.en.hints] ?? '',
    });
/** A secret is never sent back to the browser. */
const secret =
  (name: Name): Part =>
  (_draft, lang) =>
    field({
      name,
      label: DESTINATIONS[lang].fields[name],
      type: 'password',
      maxlength: 2_048,
      hint: DESTINATIONS[lang].secretHint,
    });
const box =
  (name: Name): Part =>
  (draft, lang) =>
    checkbox({ name, label: DESTINATIONS[lang].fields[name], checked: draft[name] === CHECKED });
const language: Part = (draft, lang) =>
  selectField({
    name: 'language',
    label: DESTINATIONS[lang].fields.language,
    options: LANGUAGES,
    chosen: draft.language ?? lang,
  });
const mechanism: Part = (draft, lang) =>
  selectField({
    name: 'mechanism',
    label: DESTINATIONS[lang].fields.mechanism,
    options: MECHANISMS.map((one) => [one, one.toUpperCase()]),
    chosen: draft.mechanism,
  });

const PARTS: Readonly<Record<string, Readonly<Record<string, Part>>>> = {
  kafka: {
    brokers: text('brokers'),
    topic: text('topic'),
    mechanism,
    username: text('username'),
    password: secret('password'),
    tls: box('tls'),
  },
  mqtt: {
    broker: text('broker'),
    prefix: text('prefix'),
    home_assistant: box('home_assistant'),
    username: text('username'),
    password: secret('password'),
    tls: box('tls'),
  },
  slack: { url: secret('url'), language },
  discord: { url: secret('url'), language },
  telegram: { token: secret('token'), chat_id: text('chat_id'), api: text('api'), language },
};

/** Returns an empty form's values. @returns null for a URL, or for an unknown kind */
export function emptyDraft(kind: string | undefined): DestinationDraft | null {
  if (kind === undefined || !DESTINATION_KINDS.includes(kind)) return null;
  return { kind, tls: CHECKED, home_assistant: CHECKED, prefix: 'touchline', api: 'https://api.telegram.org' };
}

const toText = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(' ');
  if (typeof value === 'boolean') return value ? CHECKED : '';
  return value === null ? '' : String(value);
};

export function toDraft(settings: DestinationSettings | null): DestinationDraft | null {
  if (settings === null) return null;
  const texts = Object.entries(settings).map(([name, value]) => [name, toText(value)]);
  return { ...(Object.fromEntries(texts) as Record<string, string>), kind: settings.kind };
}

/** Parses the fields of a form, which has a kind unless events go to a URL. */
export function readDraft(form: URLSearchParams | null): DestinationDraft | null {
  const kind = readText(form, 'destination');
  const parts = PARTS[kind];
  if (parts === undefined) return null;
  const texts = Object.keys(parts).map((name) => [name, readText(form, name)]);
  return { ...(Object.fromEntries(texts) as Record<string, string>), kind };
}

/** @throws {Problem} invalid_parameter */
export function toDestination(draft: DestinationDraft): DestinationSettings {
  const parts = Object.keys(PARTS[draft.kind]!);
  const values = parts.map((name) => {
    const value = draft[name] ?? '';
    if (LISTS.has(name)) return [name, value.split(/[\s,]+/).filter(Boolean)];
    if (BOXES.has(name)) return [name, value === CHECKED];
    return [name, value === '' && (SECRETS.has(name) || OPTIONAL.has(name)) ? null : value];
  });
  return parseDestination({ kind: draft.kind, ...Object.fromEntries(values) });
}

/** Renders the fields of a kind. */
export const destinationFields = (draft: DestinationDraft, lang: Lang): Html =>
  html`${hidden('destination', draft.kind)}
${Object.values(PARTS[draft.kind]!).map((part) => part(draft, lang))}`;

/** Renders links to the forms of all kinds. @param chosen null for a URL */
export function destinationChoice(path: string, chosen: string | null, lang: Lang): Html {
  const { label, names } = DESTINATIONS[lang];
  const link = (kind: string | null, name: string) =>
    html`<a href="${path}${kind !== null && `?to=${kind}`}#new"${kind === chosen && html` aria-current="true"`}>${name}</a> `;
  return html`<p class="note">${label}</p>
<p class="ranges">${link(null, 'URL')}${DESTINATION_KINDS.map((kind) => link(kind, names[kind as keyof typeof names]))}</p>`;
}
