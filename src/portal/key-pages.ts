/** Pages of API keys: list, creation, and one key with its actions. */
import { randomUUID } from 'node:crypto';
import { createOnce, ONCE_FIELD, toActor } from '../accounts/index.ts';
import {
  changeKey,
  createAccountKey,
  findAccountKey,
  keyState,
  type ListedKey,
  listKeys,
  revokeKey,
  rotateKey,
} from '../accounts/keys/index.ts';
import { transaction } from '../db/postgres.ts';
import { idParams, invalidParameter, type Reply, type RouteValue } from '../http/index.ts';
import { dateTime } from '../site/components/index.ts';
import { field, hidden, parseTime, readList, readText } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { HOUR_SECONDS } from '../wire/time.ts';
import type { PortalDeps } from './deps.ts';
import { doneQuery, doneText } from './done.ts';
import { newKeyPanel } from './key-panel.ts';
import { keyTable } from './key-table.ts';
import type { Shown } from './page.ts';
import { memberPage, redirect, type Visitor } from './visit.ts';

const PATH = '/account/keys';
const OVERLAPS = { '0': 'no time', '1': 'an hour', '24': 'a day', '168': 'a week' } as const;

const restrictions = (key?: Pick<ListedKey, 'addresses' | 'origins' | 'kind'>): Html => html`${field({
  name: 'addresses',
  label: 'Only from these addresses',
  value: key?.addresses?.join(' ') ?? '',
  hint: 'Addresses and networks as 192.0.2.7 or 10.0.0.0/8, separated by spaces. Empty: from anywhere.',
})}
${
  key?.kind !== 'sk' &&
  field({
    name: 'origins',
    label: 'Only on these sites (publishable keys)',
    value: key?.origins?.join(' ') ?? '',
    hint: 'Origins as https://example.com, separated by spaces. Empty: on any site.',
  })
}`;

async function keysPage(
  { accountId, page, root }: Visitor,
  { pool, clock }: PortalDeps,
  shown: Shown = {},
): Promise<Reply> {
  const keys = await listKeys(pool, { accountId });
  return page({
    title: 'Keys',
    ...shown,
    body: html`${keyTable(keys.reverse(), { now: clock.now(), link: ({ id }) => `${root}account/keys/${id}` })}
<section class="panel"><h2>Create a key</h2>
<form method="post" action="${root}account/keys">
${hidden(ONCE_FIELD, randomUUID())}
${field({ name: 'name', label: 'Name', maxlength: 100, hint: 'What uses it: a server, a site, a person.' })}
<fieldset><legend>Kind</legend>
<label><input type="radio" name="kind" value="sk" checked> Secret, for servers</label>
<label><input type="radio" name="kind" value="pk"> Publishable, for browsers: streams, images and single matches alone</label>
</fieldset>
${restrictions()}
${field({ name: 'expires_at', label: 'Valid until (UTC)', type: 'datetime-local', hint: 'Empty: until it is revoked.' })}
<button>Create the key</button>
</form></section>`,
  });
}

const LIST_DONE = { revoked: 'The key is revoked.' };
const list = memberPage({
  method: 'GET',
  path: PATH,
  summary: 'The keys of the account',
  query: doneQuery,
  handler: (member, { query }, deps) => keysPage(member, deps, { done: doneText(LIST_DONE, query.done) }),
});

/** Shows the new key, or that it exists already if the form was sent twice. */
function createdPage(
  { page, root }: Visitor,
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
        ? html`<p class="panel">This key was created before and cannot be shown again. <a href="${next}">All keys</a></p>`
        : newKeyPanel(key, baseUrl, next, origins?.[0]),
  });
}

const create = memberPage({
  method: 'POST',
  path: PATH,
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
      } as const;
      const { key } = await createAccountKey(
        db,
        deps.clock,
        { accountId: member.accountId, actor: toActor(input) },
        settings,
      );
      return { item: {}, secret: { key } };
    });
    return createdPage(member, input.baseUrl, 'Key created', body.key, origins);
  },
  onProblem: (problem, member, _input, deps) => keysPage(member, deps, { problem }),
});

function keyBody(key: ListedKey, now: number, root: string): Html {
  const all = `${root}account/keys`;
  const state = keyState(key, now);
  const facts = html`<dl class="facts">
<div><dt>Key</dt><dd><code>${key.prefix}…${key.hint}</code></dd></div>
<div><dt>State</dt><dd>${state}${key.expires_at !== null && html`, valid until ${dateTime(key.expires_at)}`}</dd></div>
<div><dt>Created</dt><dd>${dateTime(key.created_at)}</dd></div>
<div>
<dt>Last used</dt>
<dd>${key.last_used_at === null ? 'never' : html`${dateTime(key.last_used_at)} from ${key.last_used_from}`}</dd>
</div>
${key.replaced_by !== null && html`<div><dt>Replaced by</dt><dd><a href="${all}/${key.replaced_by}">key ${key.replaced_by}</a></dd></div>`}
</dl>`;
  if (state !== 'active') return html`<section class="panel">${facts}</section><p><a href="${all}">All keys</a></p>`;
  return html`<section class="panel">${facts}
<form method="post" action="${all}/${key.id}">
${field({ name: 'name', label: 'Name', value: key.name ?? '', maxlength: 100 })}
${restrictions(key)}
<button>Save</button>
</form></section>
${
  key.replaced_by === null &&
  html`<section class="panel"><h2>Rotate</h2>
<form method="post" action="${all}/${key.id}/rotate">
${hidden(ONCE_FIELD, randomUUID())}
<p>Makes a new key with the same settings. For some time both are valid, so that clients can be moved one by one.</p>
<p class="field"><label for="overlap">The old key stays valid for</label>
<select id="overlap" name="overlap">${Object.entries(OVERLAPS).map(
    ([hours, text]) => html`<option value="${hours}"${hours === '24' && html` selected`}>${text}</option>`,
  )}</select></p>
<button>Rotate the key</button>
</form></section>`
}
<section class="panel"><h2>Revoke</h2>
<form method="post" action="${all}/${key.id}/revoke">
<p>Within five seconds no request is answered with this key, and its streams end. It cannot be undone.</p>
<button class="danger">Revoke the key</button>
</form></section>
<p><a href="${all}">All keys</a></p>`;
}

async function keyPage(member: Visitor, id: number, deps: PortalDeps, shown: Shown = {}): Promise<Reply> {
  const key = await findAccountKey(deps.pool, member.accountId, id);
  return member.page({
    title: key.name ?? `Key ${key.id}`,
    ...shown,
    body: keyBody(key, deps.clock.now(), member.root),
  });
}

const one = memberPage({
  method: 'GET',
  path: `${PATH}/{id}`,
  summary: 'A key',
  params: idParams,
  query: doneQuery,
  handler: (member, { params, query }, deps) =>
    keyPage(member, params.id, deps, { done: doneText({ changed: 'Saved.' }, query.done) }),
});

const change = memberPage({
  method: 'POST',
  path: `${PATH}/{id}`,
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
    await transaction(deps.pool, (db) =>
      changeKey(db, deps.clock, { accountId: member.accountId, actor: toActor(input) }, params.id, settings),
    );
    return redirect(input, `${PATH}/${params.id}?done=changed`);
  },
  onProblem: (problem, member, { params }, deps) => keyPage(member, params.id, deps, { problem }),
});

const rotate = memberPage({
  method: 'POST',
  path: `${PATH}/{id}/rotate`,
  summary: 'Replace a key',
  params: idParams,
  handler: async (member, input, deps) => {
    const { id } = input.params;
    const hours = readText(input.form, 'overlap');
    const overlap = Object.hasOwn(OVERLAPS, hours) ? Number(hours) * HOUR_SECONDS : Number.NaN;
    if (Number.isNaN(overlap)) throw invalidParameter('overlap', 'invalid_value', 'is not one of the choices');
    const owner = { accountId: member.accountId, actor: toActor(input) };
    const { body } = await createOnce(deps, input, 'rotated key', async (db) => {
      const { key } = await rotateKey(db, deps.clock, owner, id, overlap);
      return { item: {}, secret: { key } };
    });
    const { origins } = await findAccountKey(deps.pool, member.accountId, id);
    return createdPage(member, input.baseUrl, 'Key rotated', body.key, origins);
  },
  onProblem: (problem, member, { params }, deps) => keyPage(member, params.id, deps, { problem }),
});

const revoke = memberPage({
  method: 'POST',
  path: `${PATH}/{id}/revoke`,
  summary: 'Revoke a key',
  params: idParams,
  handler: async (member, input, { pool, clock }) => {
    const { id } = input.params;
    // Answers 404 for a key of another account.
    await findAccountKey(pool, member.accountId, id);
    await transaction(pool, (db) => revokeKey(db, clock, id, toActor(input), member.accountId));
    return redirect(input, `${PATH}?done=revoked`);
  },
});

export const keyPages: RouteValue<PortalDeps>[] = [list, create, one, change, rotate, revoke];
