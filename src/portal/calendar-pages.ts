/** A member's calendar: its address, and the teams and tournaments in it. */

import { z } from 'zod';
import { calendarTokenSince, renewCalendarToken, revokeCalendarToken } from '../accounts/credentials/index.ts';
import { toActor } from '../accounts/index.ts';
import {
  addFavourite,
  type Favourite,
  listFavourites,
  MAX_FAVOURITES,
  removeFavourite,
} from '../accounts/members/index.ts';
import { calendarSubject } from '../calendars/subject.ts';
import { searchEverything } from '../catalogue/search/index.ts';
import { idParam, invalidParameter, type Lang, type Reply, type RouteInput, type RouteValue } from '../http/index.ts';
import { calendarAddress, ownCalendarAddress } from '../site/calendar-address.ts';
import { dateTime, heads, scrollTable } from '../site/components/index.ts';
import { field, hidden, postButton, readText } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { CALENDAR_PAGE, fill } from '../site/texts/index.ts';
import { findViewer } from '../web/index.ts';
import { CALENDAR_KINDS } from '../wire/calendar.ts';
import { withoutSecrets } from '../wire/secret-formats.ts';
import { confirmation } from './confirmation.ts';
import type { PortalDeps } from './deps.ts';
import { doneQuery, doneText } from './done-messages.ts';
import type { Shown } from './page.ts';
import { sportName } from './sport-name.ts';
import { memberPage, redirect, type Visitor } from './visit.ts';

const PATH = '/account/calendar';
const NEW_ADDRESS = { en: CALENDAR_PAGE.en.newAddress, ru: CALENDAR_PAGE.ru.newAddress };
/** Maximum number of characters in a query. Longer queries are cut. */
const MAX_QUERY = 80;
const MAX_FOUND = 20;

type Found = Pick<Favourite, 'kind' | 'id' | 'name' | 'sport'>;

/** A row with the form that adds it to the calendar or removes it. */
function row(
  { kind, id, name, sport }: Found,
  root: string,
  action: 'add' | 'remove',
  address: Html | false,
  lang: Lang,
): Html {
  const label = fill(action === 'add' ? CALENDAR_PAGE[lang].addOne : CALENDAR_PAGE[lang].removeOne, { name });
  return html`<tr><th scope="row">${name}</th><td>${CALENDAR_PAGE[lang].kinds[kind]}</td><td>${sportName(sport, lang)}</td>
<td>${id}</td>${address && html`<td>${address}</td>`}
<td><form method="post" action="${root}account/calendar/${action}">${hidden('kind', kind)}${hidden('id', String(id))}
<button class="plain" aria-label="${label}">${CALENDAR_PAGE[lang][action]}</button></form>
</td>
</tr>`;
}

const table = (label: string, titles: readonly string[], rows: readonly Html[]): Html =>
  scrollTable({ label, head: [...heads(titles), html`<td></td>`], rows });

function favouritesPart(favourites: readonly Favourite[], root: string, baseUrl: string, lang: Lang): Html {
  if (favourites.length === 0) return html`<p>${CALENDAR_PAGE[lang].none}</p>`;
  const links = ({ kind, id, name }: Favourite) => {
    const { web, webcal } = calendarAddress(baseUrl, kind, id, lang);
    return html`<a href="${webcal}" aria-label="${fill(CALENDAR_PAGE[lang].subscribeTo, { name })}">${CALENDAR_PAGE[lang].subscribe}</a> ·
<a href="${web}" aria-label="${fill(CALENDAR_PAGE[lang].fileOf, { name })}">${CALENDAR_PAGE[lang].file}</a>`;
  };
  return table(
    CALENDAR_PAGE[lang].favourites,
    [...CALENDAR_PAGE[lang].columns, CALENDAR_PAGE[lang].alone],
    favourites.map((one) => row(one, root, 'remove', links(one), lang)),
  );
}

async function foundPart(q: string, root: string, { pool, clock }: PortalDeps, lang: Lang): Promise<Html | false> {
  if (q === '') return false;
  const hits = await searchEverything(pool, { q, limit: MAX_FOUND }, new Date(clock.now()), null);
  const found = hits.flatMap(({ type, id, name_i18n, sport }) =>
    type === 'team' || type === 'tournament'
      ? [row({ kind: type, id, name: name_i18n.en, sport }, root, 'add', false, lang)]
      : [],
  );
  if (found.length === 0) return html`<p role="status">${fill(CALENDAR_PAGE[lang].noneFound, { query: q })}</p>`;
  return table(CALENDAR_PAGE[lang].found, CALENDAR_PAGE[lang].columns, found);
}

const addressPart = (
  since: Date | null,
  root: string,
  lang: Lang,
): Html => html`<section class="panel"><h2>${CALENDAR_PAGE[lang].address}</h2>
${since === null ? html`<p>${CALENDAR_PAGE[lang].noAddress}</p>` : html`<p>${CALENDAR_PAGE[lang].hasAddress(dateTime(since))}</p>`}
${
  since === null
    ? postButton(`${root}account/calendar/address`, CALENDAR_PAGE[lang].create)
    : html`${confirmation(CALENDAR_PAGE[lang].replace, {
        action: `${root}account/calendar/address`,
        question: CALENDAR_PAGE[lang].replaceQuestion,
        form: html`<button>${CALENDAR_PAGE[lang].replaceNow}</button>`,
      })}${confirmation(CALENDAR_PAGE[lang].revoke, {
        action: `${root}account/calendar/revoke`,
        question: CALENDAR_PAGE[lang].revokeQuestion,
        form: html`<button class="danger">${CALENDAR_PAGE[lang].revokeNow}</button>`,
        isDangerous: true,
      })}`
}</section>`;

async function calendarPage(
  { memberId, page, root, lang }: Visitor,
  { baseUrl }: Pick<RouteInput<unknown, unknown, unknown>, 'baseUrl'>,
  deps: PortalDeps,
  { q = '', ...shown }: Shown & { q?: string } = {},
): Promise<Reply> {
  const { pool, clock, config } = deps;
  const isPublic = findViewer(config, { principal: null, headers: {}, baseUrl }) !== undefined;
  const [favourites, since, found] = await Promise.all([
    listFavourites(pool, memberId, new Date(clock.now())),
    calendarTokenSince(pool, memberId),
    foundPart(q, root, deps, lang),
  ]);
  return page({
    title: CALENDAR_PAGE[lang].title,
    ...shown,
    body: html`<p>${CALENDAR_PAGE[lang].intro}</p>
<section class="panel"><h2>${CALENDAR_PAGE[lang].favourites}</h2>
${favouritesPart(favourites, root, baseUrl, lang)}
<p class="note">${fill(CALENDAR_PAGE[lang].count, { count: favourites.length, most: MAX_FAVOURITES })} ${
      !isPublic && CALENDAR_PAGE[lang].aloneNote
    }</p>
</section>
<section class="panel" id="search"><h2>${CALENDAR_PAGE[lang].addFavourite}</h2>
<form method="get" action="${root}account/calendar">
${field({ name: 'q', label: CALENDAR_PAGE[lang].query, value: q, maxlength: MAX_QUERY })}
<button>${CALENDAR_PAGE[lang].search}</button></form>
${found}</section>
${addressPart(since, root, lang)}`,
  });
}

const show = memberPage({
  method: 'GET',
  path: PATH,
  permission: 'personal',
  summary: 'The calendar of the member',
  query: doneQuery.extend({
    q: z
      .string()
      .transform((value) => [...withoutSecrets(value).trim()].slice(0, MAX_QUERY).join(''))
      .pipe(z.string())
      .default(''),
  }),
  handler: (member, input, deps) =>
    calendarPage(member, input, deps, {
      q: input.query.q,
      done: doneText(CALENDAR_PAGE[member.lang].done, input.query.done),
    }),
});

/** @throws {Problem} invalid_parameter */
function readFavourite(form: URLSearchParams | null): Pick<Favourite, 'kind' | 'id'> {
  const kind = CALENDAR_KINDS.find((one) => one === readText(form, 'kind'));
  if (kind === undefined) throw invalidParameter('kind', 'invalid_value', `must be ${CALENDAR_KINDS.join(' or ')}`);
  const id = idParam.safeParse(readText(form, 'id'));
  if (!id.success) throw invalidParameter('id', 'invalid_value', id.error.issues[0]!.message);
  return { kind, id: id.data };
}

/** Route for a form that adds or removes a favourite. */
const change = (
  name: 'add' | 'remove',
  summary: string,
  work: (deps: PortalDeps, memberId: number, favourite: Pick<Favourite, 'kind' | 'id'>) => Promise<void>,
) =>
  memberPage({
    method: 'POST',
    path: `${PATH}/${name}`,
    permission: 'personal',
    summary,
    handler: async (member, input, deps) => {
      await work(deps, member.memberId, readFavourite(input.form));
      return redirect(input, `${PATH}?done=${name === 'add' ? 'added' : 'removed'}`);
    },
    onProblem: (problem, member, input, deps) => calendarPage(member, input, deps, { problem }),
  });

const add = change('add', 'Add a favourite', async (deps, memberId, favourite) =>
  addFavourite(deps, memberId, await calendarSubject(deps.pool, favourite, deps.clock.now())),
);
const remove = change('remove', 'Remove a favourite', ({ pool }, memberId, favourite) =>
  removeFavourite(pool, memberId, favourite),
);

const renew = memberPage({
  method: 'POST',
  path: `${PATH}/address`,
  permission: 'personal',
  summary: 'Create or replace the address of the calendar',
  handler: async (member, input, deps) => {
    const token = await renewCalendarToken(deps, member, toActor(input));
    const { web, webcal } = ownCalendarAddress(input.baseUrl, token);
    return member.page({
      title: NEW_ADDRESS[member.lang].title,
      body: html`<section class="panel secret"><p>${NEW_ADDRESS[member.lang].note}</p>
<p><code class="value">${web}</code></p>
<p><a class="button" href="${webcal}">${NEW_ADDRESS[member.lang].subscribe}</a></p>
<p class="note">${NEW_ADDRESS[member.lang].parameters(token)}</p>
<p><a href="${member.root}account/calendar">${NEW_ADDRESS[member.lang].stored}</a></p></section>`,
    });
  },
});

const revoke = memberPage({
  method: 'POST',
  path: `${PATH}/revoke`,
  permission: 'personal',
  summary: 'Revoke the address of the calendar',
  handler: async (member, input, deps) => {
    const had = await revokeCalendarToken(deps, member, toActor(input));
    return redirect(input, `${PATH}?done=${had ? 'revoked' : 'none'}`);
  },
});

export const calendarPages: RouteValue<PortalDeps>[] = [show, add, remove, renew, revoke];
