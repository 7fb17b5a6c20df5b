/**
 * The reader's settings, which cookies keep: a theme, and the zone of times. The menu of each page leads here, and its links
 * choose a theme at once. Both lead back to the page from which the reader came.
 */
import { z } from 'zod';
import { type Lang, lang, oneValue, Problem, type Reply, type RouteValue, timeZone } from '../http/index.ts';
import { hidden, readText, selectField } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { breadcrumbs, document } from '../site/layout.ts';
import { choiceCookies, type ReaderChoices, readChoices, THEMES } from '../site/reader-choices.ts';
import { SETTINGS } from '../site/texts/index.ts';
import { grouped } from '../wire/grouped.ts';
import { withoutSecrets } from '../wire/secret-formats.ts';
import { route, type WebDeps } from './deps.ts';
import { page } from './page-route.ts';

const AUTO = 'auto';
const CHOICES = [AUTO, ...THEMES] as const;

/** With this policy, forms of the page say where they come from, and the browser says from which page the reader came. */
const OWN_REFERRER = { 'Referrer-Policy': 'same-origin' } as const;

/**
 * Returns the path of a page of this service, with its query, from the service's root; `/` for anything else.
 * @param address an absolute or relative URL
 */
function ownPage(address: string | undefined, baseUrl: string): string {
  if (address === undefined || !URL.canParse(address, `${baseUrl}/`)) return '/';
  const { href } = new URL(address, `${baseUrl}/`);
  if (!href.startsWith(`${baseUrl}/`)) return '/';
  const path = withoutSecrets(href.slice(baseUrl.length));
  // `//` would lead to another site, and the settings would lead back to themselves.
  return path.startsWith('//') || path.startsWith('/settings') ? '/' : path;
}

/** Returns the list of zones, by region. */
const zones = () =>
  grouped(['UTC', ...Intl.supportedValuesOf('timeZone').filter((one) => one !== 'UTC')], (name) =>
    name.includes('/') ? name.slice(0, name.indexOf('/')) : '',
  );

function zoneField(chosen: string | null, language: Lang): Html {
  const text = SETTINGS[language];
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${label}</option>`;
  const zone = (name: string) =>
    html`<option value="${name}"${name === chosen && html` selected`}${language === 'ru' && html` lang="en"`}>${name}</option>`;
  const groups = [...zones()].map(([region, names]) =>
    region === ''
      ? names.map(zone)
      : html`<optgroup label="${text.regions[region] ?? region}">${names.map(zone)}</optgroup>`,
  );
  return html`<p class="field"><label for="zone">${text.zone}</label>
<select id="zone" name="zone">${option('', text.zoneAuto)}${groups}</select></p>`;
}

function settingsPage(
  { theme, zone }: ReaderChoices,
  next: string,
  language: Lang,
  problem: { field: 'theme' | 'zone'; text: string } | null = null,
): Reply {
  const text = SETTINGS[language];
  const themes = CHOICES.map((one) => [one, one === AUTO ? text.themeAuto : text.themes[one]] as const);
  const body = html`${breadcrumbs(language, '', [{ name: text.title }])}
<div class="portal narrow"><section class="panel"><h1>${text.title}</h1><p class="note">${text.intro}</p>
${problem && html`<p class="problem" role="alert">${text[problem.field]}: ${problem.text}.</p>`}
<form method="post" action="settings">${hidden('next', next)}
${selectField({ name: 'theme', label: text.theme, options: themes, chosen: theme ?? AUTO })}
${zoneField(zone, language)}
<p><button>${text.save}</button></p></form></section></div>`;
  return {
    status: problem === null ? 200 : 400,
    body: document({
      lang: language,
      title: `${text.title} · Touchline`,
      root: '',
      query: '',
      styles: ['account.css'],
      head: html`<meta name="robots" content="noindex">`,
      body,
    }),
    headers: OWN_REFERRER,
  };
}

const chosen = (choices: Partial<ReaderChoices>, baseUrl: string, next: string): Reply => ({
  status: 303,
  body: '',
  headers: { ...OWN_REFERRER, Location: baseUrl + next, 'Set-Cookie': choiceCookies(choices, baseUrl) },
});

const settings = route({
  ...page,
  path: '/settings',
  summary: 'The theme and the time zone of a reader',
  query: z.object({ lang }),
  handler: ({ headers, baseUrl, lang: language }) =>
    settingsPage(readChoices(headers.cookie), ownPage(headers.referer, baseUrl), language),
});

const save = route({
  ...page,
  method: 'POST',
  path: '/settings',
  summary: 'Save the theme and the time zone of a reader',
  query: z.object({ lang }),
  form: true,
  handler: ({ form, headers, baseUrl, lang: language }) => {
    const [theme, zone] = [readText(form, 'theme'), readText(form, 'zone')];
    const next = ownPage(readText(form, 'next'), baseUrl);
    const text = SETTINGS[language];
    const before = readChoices(headers.cookie);
    const known = CHOICES.find((one) => one === theme);
    if (known === undefined) return settingsPage(before, next, language, { field: 'theme', text: text.unknownTheme });
    const chosenTheme = known === AUTO ? null : known;
    if (zone !== '' && !timeZone.safeParse(zone).success)
      return settingsPage({ ...before, theme: chosenTheme }, next, language, { field: 'zone', text: text.unknownZone });
    return chosen({ theme: chosenTheme, zone: zone === '' ? null : zone }, baseUrl, next);
  },
});

const theme = route({
  ...page,
  path: '/settings/theme',
  summary: 'Choose a theme, and go back to the page',
  query: z.object({ choose: oneValue(CHOICES), lang }),
  handler: ({ query: { choose }, headers, baseUrl }) => {
    // A link of another site would change what the reader has chosen.
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      throw new Problem('csrf_failed', 'A theme can be chosen only on a page of this service.');
    return chosen({ theme: choose === AUTO ? null : choose }, baseUrl, ownPage(headers.referer, baseUrl));
  },
});

export const settingsRoutes: RouteValue<WebDeps>[] = [settings, save, theme];
