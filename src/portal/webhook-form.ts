/** Subscription form. A button searches for leagues and shows the form again with the results. */

import { findLeagues, type NamedLeague, readLeagueNames } from '../catalogue/index.ts';
import type { Queryable } from '../db/postgres.ts';
import { invalidParameter, type Lang } from '../http/index.ts';
import { english } from '../site/components/index.ts';
import { field, linesField, readLines, readList, readText, selectField } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { EVENT_TYPES_RU, fill, WEBHOOK_FORM, WEBHOOKS } from '../site/texts/index.ts';
import { SPORTS } from '../sports/sports.ts';
import {
  type CustomHeader,
  HIDDEN_VALUE,
  ORDERINGS,
  type Ordering,
  parseHeader,
  type Subscription,
} from '../webhooks/subscriptions/index.ts';
import { EVENT_TYPES, type MatchEventType, NAMED_TYPES } from '../wire/event-types.ts';
import {
  type DestinationDraft,
  destinationFields,
  emptyDraft,
  readDraft,
  toDestination,
  toDraft,
} from './destination-fields.ts';
import { sportName } from './sport-name.ts';

/** Button that searches instead of saving. */
export const SEARCH_BUTTON = 'search';
/** Button that applies the filters to the newest events instead of saving. */
export const PREVIEW_BUTTON = 'preview';
const FOUND_LEAGUES = 20;

/** Form values, taken from a subscription or as the browser sent them. */
export interface FormValues {
  /** Null for a URL. */
  destination: DestinationDraft | null;
  url: string;
  description: string;
  eventTypes: string[];
  sports: string[];
  leagues: number[];
  matchIds: number[];
  participantIds: number[];
  conditions: string[];
  headers: CustomHeader[];
  ordering: Ordering;
  maxPerSecond: number | null;
  maxInFlight: number | null;
  delay: number;
  /** Search text for leagues. */
  search: string;
}

export const EMPTY: FormValues = {
  destination: null,
  url: '',
  description: '',
  eventTypes: [],
  sports: [],
  leagues: [],
  matchIds: [],
  participantIds: [],
  conditions: [],
  headers: [],
  ordering: 'none',
  maxPerSecond: null,
  maxInFlight: null,
  delay: 0,
  search: '',
};

/** @param kind of a destination; undefined for a URL */
export const emptyForm = (kind: string | undefined): FormValues => {
  const destination = emptyDraft(kind);
  return { ...EMPTY, destination, ordering: destination === null ? 'none' : 'match' };
};

export const toFormValues = (one: Subscription): FormValues => ({
  ...EMPTY,
  ...one,
  destination: toDraft(one.destination),
  search: '',
});

function parseIds(name: string, texts: readonly string[]): number[] {
  const wrong = texts.find((text) => !/^[1-9]\d{0,15}$/.test(text));
  if (wrong !== undefined) throw invalidParameter(name, 'invalid_id', `${wrong.slice(0, 40)} is not an id`);
  return texts.map(Number);
}

/** Parses headers, each on a line. @throws {Problem} invalid_parameter */
const parseHeaders = (form: URLSearchParams | null, field: string, secret: boolean): CustomHeader[] =>
  readLines(form, field).map((line) => {
    const header = parseHeader(line, secret);
    return secret && header.value === HIDDEN_VALUE ? { ...header, value: null } : header;
  });

const writeHeaders = (headers: readonly CustomHeader[], secret: boolean): string =>
  headers
    .filter((header) => header.secret === secret)
    .map(({ name, value }) => `${name}: ${value ?? HIDDEN_VALUE}`)
    .join('\n');

/** Parses a number of requests or seconds. An empty field sets no limit. */
function parseLimit(form: URLSearchParams | null, name: string): number | null {
  const text = readText(form, name);
  if (text === '') return null;
  if (!/^\d{1,9}$/.test(text)) throw invalidParameter(name, 'out_of_range', 'must be a whole number');
  return Number(text);
}

/** @throws {Problem} invalid_parameter */
export function readForm(form: URLSearchParams | null): FormValues {
  const all = (name: string) => [...new Set(form?.getAll(name) ?? [])];
  const destination = readDraft(form);
  return {
    destination,
    url: destination === null ? readText(form, 'url') : '',
    description: readText(form, 'description'),
    eventTypes: all('event_types'),
    sports: all('sports'),
    leagues: parseIds('leagues', all('leagues')),
    matchIds: parseIds('match_ids', readList(form, 'match_ids')),
    participantIds: parseIds('participant_ids', readList(form, 'participant_ids')),
    conditions: readLines(form, 'conditions'),
    headers: [...parseHeaders(form, 'headers', false), ...parseHeaders(form, 'secret_headers', true)],
    // An unknown order is refused with the other settings.
    ordering: (readText(form, 'ordering') || 'none') as Ordering,
    maxPerSecond: parseLimit(form, 'max_per_second'),
    maxInFlight: parseLimit(form, 'max_in_flight'),
    delay: parseLimit(form, 'delay') ?? 0,
    search: readText(form, 'league_search').slice(0, 80),
  };
}

/** Converts the form's values to stored settings. @throws {Problem} invalid_parameter */
export const toSettings = ({ search: _, destination, url, ...settings }: FormValues) => ({
  ...settings,
  ...(destination === null ? { url } : { destination: toDestination(destination) }),
});

async function leaguesFound(db: Queryable, { search, leagues }: FormValues): Promise<NamedLeague[]> {
  if (search === '') return [];
  const found = await findLeagues(db, { q: search, sport: '', country: '', depth: '' }, FOUND_LEAGUES, 0);
  return found.leagues
    .filter(({ id }) => !leagues.includes(id))
    .map(({ id, name, country_name }) => ({ id, name: `${name}, ${country_name}` }));
}

const box = (name: string, value: string | number, text: Html | string, checked: boolean, note?: string): Html =>
  html`<label><input type="checkbox" name="${name}" value="${value}"${checked && html` checked`}> <span>${text}${
    note !== undefined && html` <span class="note">${note}</span>`
  }</span></label>
`;

const isOfMatch = (type: string): type is MatchEventType => type.startsWith('match.');
const MATCH_EVENT_TYPES = Object.keys(EVENT_TYPES).filter(isOfMatch);
/** Choosing this type beside a notice keeps the events of all matches. */
const ALL_OF_MATCHES = 'match.*';
/** Says how many choices are checked. */
const countText = (chosen: number, lang: Lang): string =>
  chosen === 0 ? WEBHOOKS[lang].allChosen : fill(WEBHOOK_FORM[lang].chosen, { count: chosen });

/** Unfolded if any box is checked. */
const choices = (
  legend: string,
  chosen: number,
  boxes: readonly Html[],
  lang: Lang,
  note: Html | false = false,
): Html =>
  html`<details class="choices"${chosen > 0 && html` open`}><summary>${legend}: ${countText(chosen, lang)}</summary>
<fieldset><legend class="hidden">${legend}</legend>${boxes}</fieldset>${note && html`<p class="note">${note}</p>`}</details>`;

async function leagueChoices(db: Queryable, values: FormValues, lang: Lang): Promise<Html> {
  const chosen = await readLeagueNames(db, values.leagues);
  const found = await leaguesFound(db, values);
  return html`<fieldset><legend>${WEBHOOK_FORM[lang].leagues}: ${countText(chosen.length, lang)}</legend>
${chosen.map(({ id, name }) => box('leagues', id, english(name, lang), true))}
${found.map(({ id, name }) => box('leagues', id, english(name, lang), false))}
${values.search !== '' && found.length === 0 && html`<p class="note" role="status">${WEBHOOK_FORM[lang].noLeague}</p>`}
<p class="field"><label for="league-search">${WEBHOOK_FORM[lang].searchLeagues}</label>
<input id="league-search" name="league_search" type="search" maxlength="80" autocomplete="off" value="${values.search}"></p>
<p><button class="plain" name="${SEARCH_BUTTON}" value="1">${WEBHOOK_FORM[lang].search}</button></p></fieldset>`;
}

const limitField = (name: string, label: string, value: number | null, lang: Lang): Html =>
  field({
    name,
    label,
    value: value === null ? '' : String(value),
    inputmode: 'numeric',
    hint: WEBHOOK_FORM[lang].paceHint,
  });

const headerFields = ({ headers }: FormValues, lang: Lang): Html =>
  html`${linesField({
    name: 'headers',
    label: WEBHOOK_FORM[lang].headers,
    value: writeHeaders(headers, false),
    hint: WEBHOOK_FORM[lang].headersHint,
  })}
${linesField({
  name: 'secret_headers',
  label: WEBHOOK_FORM[lang].secretHeaders,
  value: writeHeaders(headers, true),
  hint: WEBHOOK_FORM[lang].secretHeadersHint,
})}`;

/** Renders the fields. The form element, the hidden fields and the button are not included. */
export async function webhookFields(db: Queryable, values: FormValues, lang: Lang): Promise<Html> {
  const types = [...MATCH_EVENT_TYPES, ...NAMED_TYPES].map(
    (type) => [type, lang === 'en' ? EVENT_TYPES[type] : EVENT_TYPES_RU[type]] as const,
  );
  // Other notations for event types, which only the API can create.
  const others = values.eventTypes.filter(
    (type) => type !== ALL_OF_MATCHES && !types.some(([known]) => known === type),
  );
  // The Enter key presses the form's first button, which must not be the search button.
  return html`<button class="hidden" tabindex="-1" aria-hidden="true"></button>
${
  values.destination === null
    ? field({
        name: 'url',
        label: WEBHOOK_FORM[lang].url,
        value: values.url,
        required: true,
        maxlength: 2048,
        hint: WEBHOOK_FORM[lang].urlHint,
      })
    : destinationFields(values.destination, lang)
}
${field({ name: 'description', label: WEBHOOK_FORM[lang].description, value: values.description, maxlength: 500 })}
${choices(
  WEBHOOK_FORM[lang].eventTypes,
  values.eventTypes.length,
  [
    box(
      'event_types',
      ALL_OF_MATCHES,
      english(ALL_OF_MATCHES, lang),
      values.eventTypes.includes(ALL_OF_MATCHES),
      WEBHOOK_FORM[lang].allOfMatches,
    ),
    ...others.map((type) => box('event_types', type, english(type, lang), true)),
    ...types.map(([type, meaning]) =>
      box('event_types', type, english(type, lang), values.eventTypes.includes(type), meaning),
    ),
  ],
  lang,
  WEBHOOK_FORM[lang].noticesHint,
)}
${choices(
  WEBHOOK_FORM[lang].sports,
  values.sports.length,
  SPORTS.map(({ slug }) => box('sports', slug, sportName(slug, lang), values.sports.includes(slug))),
  lang,
)}
${await leagueChoices(db, values, lang)}
${field({
  name: 'match_ids',
  label: WEBHOOK_FORM[lang].matches,
  value: values.matchIds.join(' '),
  hint: WEBHOOK_FORM[lang].matchesHint,
})}
${field({
  name: 'participant_ids',
  label: WEBHOOK_FORM[lang].participants,
  value: values.participantIds.join(' '),
  hint: WEBHOOK_FORM[lang].participantsHint,
})}
${linesField({
  name: 'conditions',
  label: WEBHOOK_FORM[lang].conditions,
  value: values.conditions.join('\n'),
  hint: WEBHOOK_FORM[lang].conditionsHint,
})}
<p><button class="plain" name="${PREVIEW_BUTTON}" value="1">${WEBHOOK_FORM[lang].preview}</button></p>
${values.destination === null && headerFields(values, lang)}
${selectField({
  name: 'ordering',
  label: WEBHOOK_FORM[lang].ordering,
  options: ORDERINGS.map((ordering) => [ordering, WEBHOOK_FORM[lang].orderings[ordering]]),
  chosen: values.ordering,
})}
${limitField('max_per_second', WEBHOOK_FORM[lang].maxPerSecond, values.maxPerSecond, lang)}
${limitField('max_in_flight', WEBHOOK_FORM[lang].maxInFlight, values.maxInFlight, lang)}
${field({
  name: 'delay',
  label: WEBHOOK_FORM[lang].delay,
  value: values.delay === 0 ? '' : String(values.delay),
  inputmode: 'numeric',
  hint: WEBHOOK_FORM[lang].delayHint,
})}`;
}
