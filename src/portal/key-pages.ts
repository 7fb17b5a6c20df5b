/** API key pages: the list, the form that creates a key, and one key with its actions. */
import { randomUUID } from 'node:crypto';
import { createOnce, ONCE_FIELD } from '../accounts/index.ts';
import {
  changeKey,
  createAccountKey,
  findAccountKey,
  isPublicScope,
  keyState,
  type ListedKey,
  listKeys,
  mayChangeKey,
  mayRevokeKey,
  revokeOwnKey,
  rotateKey,
  toKeyOwner,
} from '../accounts/keys/index.ts';
import { transaction } from '../db/postgres.ts';
import {
  idParams,
  invalidParameter,
  KEY_SCOPES,
  type KeyScope,
  type Lang,
  type Reply,
  type RouteValue,
} from '../http/index.ts';
import { utcTime } from '../site/components/index.ts';
import { field, hidden, parseTime, readList, readText, selectField } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { fill, KEYS } from '../site/texts/index.ts';
import { HOUR_SECONDS } from '../wire/time.ts';
import type { PortalDeps } from './deps.ts';
import { doneQuery, doneText } from './done-messages.ts';
import { newKeyPanel } from './key-panel.ts';
import { keyTable } from './key-table.ts';
import type { Shown } from './page.ts';
import { memberPage, redirect, type Visitor } from './visit.ts';

const PATH = '/account/keys';

const scopeBoxes = (lang: Lang, key?: Pick<ListedKey, 'scopes' | 'kind'>): Html => html`<fieldset>
<legend>${KEYS[lang].scopes}</legend>
${hidden('scopes', '')}
${KEY_SCOPES.filter((scope) => key?.kind !== 'pk' || isPublicScope(scope)).map(
  (scope) =>
    html`<label><input type="checkbox" name="scopes" value="${scope}"${
      key?.scopes?.includes(scope) !== false && html` checked`
    }> <span>${KEYS[lang].scopeNames[scope]}</span></label>`,
)}
</fieldset>`;

/** Returns the scopes that were ticked; null for all that a key of this kind can have. */
function readScopes(form: URLSearchParams, kind: 'sk' | 'pk'): KeyScope[] | null {
  const offered = KEY_SCOPES.filter((scope) => kind === 'sk' || isPublicScope(scope));
  const chosen = offered.filter((scope) => form.getAll('scopes').includes(scope));
  return chosen.length === offered.length ? null : chosen;
}

const restrictions = (
  lang: Lang,
  key?: Pick<ListedKey, 'addresses' | 'origins' | 'kind' | 'scopes'>,
): Html => html`${scopeBoxes(lang, key)}
${field({
  name: 'addresses',
  label: KEYS[lang].addresses,
  value: key?.addresses?.join(' ') ?? '',
  hint: KEYS[lang].addressesHint,
})}
${
  key?.kind !== 'sk' &&
  field({
    name: 'origins',
    label: KEYS[lang].origins,
    value: key?.origins?.join(' ') ?? '',
    hint: KEYS[lang].originsHint,
  })
}`;

async function keysPage(
  { accountId, permissions, page, root, lang }: Visitor,
  { pool, clock }: PortalDeps,
  shown: Shown = {},
): Promise<Reply> {
  const keys = await listKeys(pool, { accountId });
  return page({
    title: KEYS[lang].title,
    ...shown,
    body: html`${keyTable(keys.reverse(), { now: clock.now(), link: ({ id }) => `${root}account/keys/${id}` }, lang)}
${permissions.has('own_keys') && createForm(root, lang, permissions.has('keys'))}`,
  });
}

/** @param mayChoose whether the key may belong to the organisation */
const createForm = (
  root: string,
  lang: Lang,
  mayChoose: boolean,
): Html => html`<section class="panel"><h2>${KEYS[lang].create}</h2>
<form method="post" action="${root}account/keys">
${hidden(ONCE_FIELD, randomUUID())}
${field({ name: 'name', label: KEYS[lang].name, maxlength: 100, hint: KEYS[lang].nameHint })}
<fieldset><legend>${KEYS[lang].kind}</legend>
<label><input type="radio" name="kind" value="sk" checked> ${KEYS[lang].choices.sk}</label>
<label><input type="radio" name="kind" value="pk"> ${KEYS[lang].choices.pk}</label>
</fieldset>
${
  mayChoose
    ? html`<fieldset><legend>${KEYS[lang].owner}</legend>
<label><input type="radio" name="owner" value="organisation" checked> ${KEYS[lang].owners.organisation}</label>
<label><input type="radio" name="owner" value="me"> ${KEYS[lang].owners.me}</label>
</fieldset>`
    : html`<p class="note">${KEYS[lang].personalOnly}</p>`
}
${restrictions(lang)}
${field({ name: 'expires_at', label: KEYS[lang].end, type: 'datetime-local', hint: KEYS[lang].endHint })}
<button>${KEYS[lang].submit}</button>
</form></section>`;

const list = memberPage({
  method: 'GET',
  path: PATH,
  permission: 'read',
  summary: "The account's keys",
  query: doneQuery,
  handler: (member, { query }, deps) =>
    keysPage(member, deps, { done: doneText({ revoked: KEYS[member.lang].revoked }, query.done) }),
});

/** Shows the new key. If the form was sent twice, says that the key exists already. */
function createdPage(
  { page, root, lang }: Visitor,
  baseUrl: string,
  title: string,
  key: string | undefined,
  origins: readonly string[] | null,
): Reply {
  const next = `${root}account/keys`;
  return page({
    title,
    body:
      key === undefined
        ? html`<p class="panel">${KEYS[lang].createdBefore} <a href="${next}">${KEYS[lang].all}</a></p>`
        : newKeyPanel(key, baseUrl, next, lang, origins?.[0]),
  });
}

const create = memberPage({
  method: 'POST',
  needsRecentSignIn: true,
  path: PATH,
  permission: 'own_keys',
  summary: 'Create a key',
  handler: async (member, input, deps) => {
    const { form } = input;
    const kind = readText(form, 'kind') === 'pk' ? 'pk' : 'sk';
    const [name, addresses, origins] = [readText(form, 'name'), readList(form, 'addresses'), readList(form, 'origins')];
    const expires = parseTime('expires_at', readText(form, 'expires_at'));
    const { body } = await createOnce(deps, input, 'key', async (db) => {
      const settings = {
        kind,
        expiresAt: expires === undefined ? undefined : new Date(expires),
        name: name === '' ? undefined : name,
        addresses: addresses.length === 0 ? undefined : addresses,
        origins: origins.length === 0 ? undefined : origins,
        scopes: form?.has('scopes') ? (readScopes(form, kind) ?? undefined) : undefined,
      } as const;
      const { key } = await createAccountKey(
        db,
        deps.clock,
        toKeyOwner(input),
        settings,
        form?.has('owner') ? readText(form, 'owner') === 'me' : undefined,
      );
      return { item: {}, secret: { key } };
    });
    return createdPage(member, input.baseUrl, KEYS[member.lang].created, body.key, origins);
  },
  onProblem: (problem, member, _input, deps) => keysPage(member, deps, { problem }),
});

function keyBody(key: ListedKey, now: number, visitor: Visitor): Html {
  const { root, lang } = visitor;
  const all = `${root}account/keys`;
  const state = keyState(key, now);
  const facts = html`<dl class="facts">
<div><dt>${KEYS[lang].key}</dt><dd><code>${key.prefix}…${key.hint}</code></dd></div>
<div><dt>${KEYS[lang].state}</dt>
<dd>${KEYS[lang].states[state]}${key.expires_at !== null && KEYS[lang].validUntil(utcTime(key.expires_at))}</dd></div>
${
  key.scopes !== null &&
  html`<div><dt>${KEYS[lang].scopes}</dt><dd>${key.scopes.map((scope) => html`${KEYS[lang].scopeNames[scope]}<br>`)}</dd></div>`
}
${key.managed !== null && html`<div><dt>${KEYS[lang].managed}</dt><dd>${KEYS[lang].managedBy(key.managed)}</dd></div>`}
<div><dt>${KEYS[lang].owner}</dt><dd>${key.member ?? KEYS[lang].owners.organisation}</dd></div>
<div><dt>${KEYS[lang].createdAt}</dt><dd>${utcTime(key.created_at)}</dd></div>
<div>
<dt>${KEYS[lang].lastUsed}</dt>
<dd>${
    key.last_used_at === null
      ? KEYS[lang].never
      : html`${utcTime(key.last_used_at)} ${fill(KEYS[lang].from, { address: key.last_used_from ?? '' })}`
  }</dd>
</div>
${
  key.replaced_by !== null &&
  html`<div><dt>${KEYS[lang].replacedBy}</dt>
<dd><a href="${all}/${key.replaced_by}">${fill(KEYS[lang].replacement, { id: key.replaced_by })}</a></dd></div>`
}
</dl>`;
  const isChangeable = state === 'active' && key.managed === null;
  const mayChange = isChangeable && mayChangeKey(visitor, key);
  const mayRevoke = isChangeable && mayRevokeKey(visitor, key);
  return html`<section class="panel">${facts}
${
  mayChange &&
  html`<form method="post" action="${all}/${key.id}">
${field({ name: 'name', label: KEYS[lang].name, value: key.name ?? '', maxlength: 100 })}
${restrictions(lang, key)}
<button>${KEYS[lang].save}</button>
</form>`
}</section>
${
  mayChange &&
  key.replaced_by === null &&
  html`<section class="panel"><h2>${KEYS[lang].rotation}</h2>
<form method="post" action="${all}/${key.id}/rotate">
${hidden(ONCE_FIELD, randomUUID())}
<p>${KEYS[lang].rotationNote}</p>
${selectField({ name: 'overlap', label: KEYS[lang].overlap, options: Object.entries(KEYS[lang].overlaps), chosen: '24' })}
<button>${KEYS[lang].rotate}</button>
</form></section>`
}
${
  mayRevoke &&
  html`<section class="panel"><h2>${KEYS[lang].revocation}</h2>
<form method="post" action="${all}/${key.id}/revoke">
<p>${KEYS[lang].revocationNote}</p>
<button class="danger">${KEYS[lang].revoke}</button>
</form></section>`
}
<p><a href="${all}">${KEYS[lang].all}</a></p>`;
}

async function keyPage(member: Visitor, id: number, deps: PortalDeps, shown: Shown = {}): Promise<Reply> {
  const key = await findAccountKey(deps.pool, member.accountId, id);
  return member.page({
    title: key.name ?? fill(KEYS[member.lang].unnamed, { id: key.id }),
    ...shown,
    body: keyBody(key, deps.clock.now(), member),
  });
}

const one = memberPage({
  method: 'GET',
  path: `${PATH}/{id}`,
  permission: 'read',
  summary: 'A key',
  params: idParams,
  query: doneQuery,
  handler: (member, { params, query }, deps) =>
    keyPage(member, params.id, deps, { done: doneText({ changed: KEYS[member.lang].changed }, query.done) }),
});

const change = memberPage({
  method: 'POST',
  needsRecentSignIn: true,
  path: `${PATH}/{id}`,
  permission: 'own_keys',
  summary: 'Change a key',
  params: idParams,
  handler: async (member, input, deps) => {
    const { form, params } = input;
    const name = readText(form, 'name');
    const settings = {
      name: name === '' ? undefined : name,
      addresses: readList(form, 'addresses'),
      ...(form?.has('origins') && { origins: readList(form, 'origins') }),
    };
    await transaction(deps.pool, async (db) => {
      const { kind } = await findAccountKey(db, member.accountId, params.id);
      const scopes = form?.has('scopes') ? readScopes(form, kind) : undefined;
      await changeKey(db, deps.clock, toKeyOwner(input), params.id, { ...settings, scopes });
    });
    return redirect(input, `${PATH}/${params.id}?done=changed`);
  },
  onProblem: (problem, member, { params }, deps) => keyPage(member, params.id, deps, { problem }),
});

const rotate = memberPage({
  method: 'POST',
  needsRecentSignIn: true,
  path: `${PATH}/{id}/rotate`,
  permission: 'own_keys',
  summary: 'Replace a key',
  params: idParams,
  handler: async (member, input, deps) => {
    const { id } = input.params;
    const hours = readText(input.form, 'overlap');
    const overlap = Object.hasOwn(KEYS[member.lang].overlaps, hours) ? Number(hours) * HOUR_SECONDS : Number.NaN;
    if (Number.isNaN(overlap)) throw invalidParameter('overlap', 'invalid_value', 'is not one of the choices');
    const owner = toKeyOwner(input);
    const { body } = await createOnce(deps, input, 'rotated key', async (db) => {
      const { key } = await rotateKey(db, deps.clock, owner, id, overlap);
      return { item: {}, secret: { key } };
    });
    const { origins } = await findAccountKey(deps.pool, member.accountId, id);
    return createdPage(member, input.baseUrl, KEYS[member.lang].rotated, body.key, origins);
  },
  onProblem: (problem, member, { params }, deps) => keyPage(member, params.id, deps, { problem }),
});

const revoke = memberPage({
  method: 'POST',
  needsRecentSignIn: true,
  path: `${PATH}/{id}/revoke`,
  permission: 'own_keys',
  summary: 'Revoke a key',
  params: idParams,
  handler: async (_member, input, { pool, clock }) => {
    const { id } = input.params;
    await transaction(pool, (db) => revokeOwnKey(db, clock, toKeyOwner(input), id));
    return redirect(input, `${PATH}?done=revoked`);
  },
  onProblem: (problem, member, { params }, deps) => keyPage(member, params.id, deps, { problem }),
});

export const keyPages: RouteValue<PortalDeps>[] = [list, create, one, change, rotate, revoke];
