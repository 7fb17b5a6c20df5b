/** A member's calendar, with the address, and the teams and tournaments in it. */

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
import { idParam, invalidParameter, type Reply, type RouteInput, type RouteValue } from '../http/index.ts';
import { calendarAddress, ownCalendarAddress } from '../site/calendar-address.ts';
import { dateTime, heads, scrollTable } from '../site/components/index.ts';
import { field, hidden, postButton, readText } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { findViewer } from '../web/index.ts';
import { CALENDAR_KINDS } from '../wire/calendar.ts';
import { withoutSecrets } from '../wire/secret-formats.ts';
import { confirmation } from './confirmation.ts';
import type { PortalDeps } from './deps.ts';
import { doneQuery, doneText } from './done-messages.ts';
import type { Shown } from './page.ts';
import { memberPage, redirect, type Visitor } from './visit.ts';

const PATH = '/account/calendar';
/** Characters in a query. Longer ones are cut. */
const MAX_QUERY = 80;
const MAX_FOUND = 20;

type Found = Pick<Favourite, 'kind' | 'id' | 'name' | 'sport'>;

/** A row with the form that adds or removes it. */
const row = ({ kind, id, name, sport }: Found, root: string, action: 'add' | 'remove', address: Html | false): Html =>
  html`<tr><th scope="row">${name}</th><td>${kind}</td><td>${sport}</td><td>${id}</td>${address && html`<td>${address}</td>`}
<td><form method="post" action="${root}account/calendar/${action}">${hidden('kind', kind)}${hidden('id', String(id))}
<button class="plain" aria-label="${action === 'add' ? 'Add' : 'Remove'} ${name}">${action === 'add' ? 'Add' : 'Remove'}</button></form>
</td>
</tr>`;

const table = (label: string, titles: readonly string[], rows: readonly Html[]): Html =>
  scrollTable({ label, head: [...heads(titles), html`<td></td>`], rows });

function favouritesPart(favourites: readonly Favourite[], root: string, baseUrl: string): Html {
  if (favourites.length === 0) return html`<p>None yet: search for a team or a tournament below.</p>`;
  const links = ({ kind, id, name }: Favourite) => {
    const { web, webcal } = calendarAddress(baseUrl, kind, id, 'en');
    return html`<a href="${webcal}" aria-label="Subscribe to ${name} alone">Subscribe</a> ·
<a href="${web}" aria-label="File of ${name} alone">File</a>`;
  };
  return table(
    'Favourites',
    ['Name', 'Kind', 'Sport', 'Id', 'Alone'],
    favourites.map((one) => row(one, root, 'remove', links(one))),
  );
}

async function foundPart(q: string, root: string, { pool, clock }: PortalDeps): Promise<Html | false> {
  if (q === '') return false;
  const hits = await searchEverything(pool, { q, limit: MAX_FOUND }, new Date(clock.now()), null);
  const found = hits.flatMap(({ type, id, name_i18n, sport }) =>
    type === 'player' ? [] : [row({ kind: type, id, name: name_i18n.en, sport }, root, 'add', false)],
  );
  if (found.length === 0) return html`<p role="status">No team and no tournament is found for “${q}”.</p>`;
  return table('Found', ['Name', 'Kind', 'Sport', 'Id'], found);
}

const addressPart = (since: Date | null, root: string): Html => html`<section class="panel"><h2>Address</h2>
${
  since === null
    ? html`<p>Your calendar has no address yet. Whoever knows the address can read the calendar.</p>`
    : html`<p>Your calendar has an address since ${dateTime(since)} (UTC). It was shown once. A new one replaces it:
calendar programs that use the old one then get an error.</p>`
}
${
  since === null
    ? postButton(`${root}account/calendar/address`, 'Create the address')
    : html`${confirmation('Replace the address', {
        action: `${root}account/calendar/address`,
        question:
          'Replace it now? Calendar programs that use the old address get an error, and the new one is shown once.',
        form: html`<button>Yes, replace the address</button>`,
      })}${confirmation('Revoke the address', {
        action: `${root}account/calendar/revoke`,
        question: 'Revoke it now? Calendar programs that use it get an error. It cannot be undone.',
        form: html`<button class="danger">Yes, revoke the address</button>`,
        isDangerous: true,
      })}`
}</section>`;

async function calendarPage(
  { memberId, page, root }: Visitor,
  { baseUrl }: Pick<RouteInput<unknown, unknown, unknown>, 'baseUrl'>,
  deps: PortalDeps,
  { q = '', ...shown }: Shown & { q?: string } = {},
): Promise<Reply> {
  const { pool, clock, config } = deps;
  const isPublic = findViewer(config, { principal: null, headers: {}, baseUrl }) !== undefined;
  const [favourites, since, found] = await Promise.all([
    listFavourites(pool, memberId, new Date(clock.now())),
    calendarTokenSince(pool, memberId),
    foundPart(q, root, deps),
  ]);
  return page({
    title: 'Calendar',
    ...shown,
    body: html`<p>A calendar program that subscribes to this calendar shows the matches of your favourite teams and tournaments, their new
times if they are moved, and their results.</p>
<section class="panel"><h2>Favourites</h2>
${favouritesPart(favourites, root, baseUrl)}
<p class="note">${favourites.length} of ${MAX_FAVOURITES}. ${
      !isPublic &&
      html`To subscribe to one alone, add <code>&amp;token=…</code> of your own address to its address, since this site is not
public.`
    }</p>
</section>
<section class="panel" id="search"><h2>Add a favourite</h2>
<form method="get" action="${root}account/calendar">
${field({ name: 'q', label: 'Team or tournament', value: q, maxlength: MAX_QUERY })}
<button>Search</button></form>
${found}</section>
${addressPart(since, root)}`,
  });
}

const DONE = {
  added: 'Added to your favourites.',
  removed: 'Removed from your favourites.',
  revoked: 'The address is revoked: calendar programs that use it get an error.',
  none: 'There was no address.',
};

const show = memberPage({
  method: 'GET',
  path: PATH,
  summary: 'The calendar of the member',
  query: doneQuery.extend({
    q: z
      .string()
      .transform((value) => [...withoutSecrets(value).trim()].slice(0, MAX_QUERY).join(''))
      .pipe(z.string())
      .default(''),
  }),
  handler: (member, input, deps) =>
    calendarPage(member, input, deps, { q: input.query.q, done: doneText(DONE, input.query.done) }),
});

/** @throws {Problem} invalid_parameter */
function readFavourite(form: URLSearchParams | null): Pick<Favourite, 'kind' | 'id'> {
  const kind = CALENDAR_KINDS.find((one) => one === readText(form, 'kind'));
  if (kind === undefined) throw invalidParameter('kind', 'invalid_value', `must be ${CALENDAR_KINDS.join(' or ')}`);
  const id = idParam.safeParse(readText(form, 'id'));
  if (!id.success) throw invalidParameter('id', 'invalid_value', id.error.issues[0]!.message);
  return { kind, id: id.data };
}

/** Route for a form about one favourite. */
const change = (
  name: 'add' | 'remove',
  summary: string,
  work: (deps: PortalDeps, memberId: number, favourite: Pick<Favourite, 'kind' | 'id'>) => Promise<void>,
) =>
  memberPage({
    method: 'POST',
    path: `${PATH}/${name}`,
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
  summary: 'Create or replace the address of the calendar',
  handler: async (member, input, deps) => {
    const token = await renewCalendarToken(deps, member, toActor(input));
    const { web, webcal } = ownCalendarAddress(input.baseUrl, token);
    return member.page({
      title: 'The address of your calendar',
      body: html`<section class="panel secret"><p>Whoever knows this address can read your calendar. It is not shown again.</p>
<p><code class="value">${web}</code></p>
<p><a class="button" href="${webcal}">Subscribe in your calendar program</a></p>
<p class="note">With <code>&amp;lang=ru</code> at its end the calendar is in Russian.
<code>&amp;token=${token}</code> at the end of the address of a team's or a tournament's calendar opens that one, if the site is not
public.</p>
<p><a href="${member.root}account/calendar">I have stored it</a></p></section>`,
    });
  },
});

const revoke = memberPage({
  method: 'POST',
  path: `${PATH}/revoke`,
  summary: 'Revoke the address of the calendar',
  handler: async (member, input, deps) => {
    const had = await revokeCalendarToken(deps, member, toActor(input));
    return redirect(input, `${PATH}?done=${had ? 'revoked' : 'none'}`);
  },
});

export const calendarPages: RouteValue<PortalDeps>[] = [show, add, remove, renew, revoke];
