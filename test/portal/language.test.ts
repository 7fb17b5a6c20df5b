import assert from 'node:assert/strict';
import { REFUSED } from '../../src/accounts/credentials/passkey-answers.ts';
import { russianMessage } from '../../src/site/texts/problems.ts';
import { type AccountApp, startAccountApp, type Visitor } from '../support/account-app.ts';
import { latinTexts } from '../support/latin-words.ts';
import { storeMatch } from '../support/live-match.ts';
import { type OperatorSession, startOperator } from '../support/operator-session.ts';

const STRANGER_PAGES = ['/account/sign-in', '/account/sign-in?next=%2Frankings', '/account/sign-up', '/account/reset'];
const MEMBER_PAGES = [
  '/account',
  '/account/keys',
  '/account/usage',
  '/account/usage?days=90',
  '/account/webhooks',
  '/account/calendar',
  '/account/calendar?q=%D0%BD%D0%B8%D1%87%D1%8C%D0%B8',
  '/account/plan',
  '/account/audit',
  '/account/members',
  '/account/security',
  '/account/single-sign-on',
  '/account/confirm',
];
const OPERATOR_PAGES = [
  '/operator',
  '/operator/sessions',
  '/operator/plans',
  '/operator/approval',
  '/operator/sources',
  '/operator/corrections',
  '/operator/corrections?match=x',
  '/operator/pairs',
  '/operator/audit',
];
/** Names in the data: plans of the configuration, keys and webhooks. */
const DATA = ['Free', 'Trial', 'Starter', 'Pro', 'Business', 'First key', 'Server key', 'My hook', 'Demo', 'evt_0_1'];

describe('account and operator pages in Russian', function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let operator: OperatorSession;
  let ann: Visitor;
  before(async () => {
    accounts = await startAccountApp();
    operator = await startOperator(accounts, 'operator@example.com');
    ({ visitor: ann } = await accounts.verified('ann@example.com'));
    await accounts.pool.query("UPDATE account SET plan = 'pro'");
    await ann.post('/account/keys', { name: 'Server key', kind: 'sk' });
    await ann.post('/account/webhooks', { url: 'http://127.0.0.1:9/', description: 'My hook' });
  });
  after(() => accounts.close());

  const russian = { 'Accept-Language': 'ru' };
  /** Returns the text of a page without its tags. */
  const words = (text: string) =>
    text
      .replace(/<[^>]*>/g, ' ')
      .replaceAll('&#39;', "'")
      .replace(/\s+/g, ' ');

  async function read(visitor: Visitor, path: string): Promise<string> {
    const { status, text } = await visitor.get(path, russian);
    assert.equal(status, 200, path);
    assert.match(text, /<html lang="ru"/, path);
    assert.deepEqual(latinTexts(text, DATA), [], path);
    return text;
  }

  it('have no words in Latin letters, and a switch to English', async () => {
    const stranger = accounts.visitor();
    const id = Number(
      (await accounts.pool.query<{ id: number }>("SELECT id FROM account WHERE email = 'ann@example.com'")).rows[0]!.id,
    );
    const { rows: keys } = await accounts.pool.query<{ id: number }>(
      "SELECT id FROM api_key WHERE name = 'Server key'",
    );
    const { rows: hooks } = await accounts.pool.query<{ id: number }>('SELECT id FROM webhook_subscription');
    const hook = `/account/webhooks/${hooks[0]!.id}`;
    const pages: [Visitor, string][] = [
      ...STRANGER_PAGES.map((path): [Visitor, string] => [stranger, path]),
      ...[...MEMBER_PAGES, `/account/keys/${keys[0]!.id}`, hook, `${hook}/edit`, `${hook}/deliveries`].map(
        (path): [Visitor, string] => [ann, path],
      ),
      ...[...OPERATOR_PAGES, `/operator/accounts/${id}`].map((path): [Visitor, string] => [operator.visitor, path]),
    ];
    for (const [visitor, path] of pages) {
      const text = await read(visitor, path);
      const [, href = ''] = /<a class="language" href="([^"]+)" lang="en"/.exec(text) ?? [];
      const switched = new URLSearchParams(href.replaceAll('&amp;', '&'));
      assert.equal(switched.get('lang'), 'en', path);
      for (const [name, value] of new URLSearchParams(path.split('?')[1]))
        assert.equal(switched.get(name), value, path);
    }
  });

  it('keep the language that the switch has chosen, and switch back', async () => {
    const { visitor } = await accounts.signedUp('bob@example.com', '192.0.2.70');
    assert.match((await visitor.get('/account?lang=ru')).text, /<h1>Обзор<\/h1>/);
    const keys = (await visitor.get('/account/keys')).text;
    assert.match(keys, /<h1>Ключи<\/h1>/);
    assert.match(keys, /<a class="language" href="\?lang=en" lang="en"/);
    assert.match((await visitor.get('/account/keys?lang=en')).text, /<h1>Keys<\/h1>/);
  });

  it('decide the language of the mail to the member', async () => {
    const { visitor } = await accounts.signedUp('mia@example.com', '192.0.2.74');
    const language = async () =>
      (await accounts.pool.query("SELECT language FROM member WHERE email = 'mia@example.com'")).rows[0].language;
    assert.equal(await language(), null);
    await visitor.get('/account');
    assert.equal(await language(), 'en');
    await visitor.get('/account/keys?lang=ru');
    assert.equal(await language(), 'ru');
    await visitor.get('/account/webhooks');
    assert.equal(await language(), 'ru');
  });

  it('answer a wrong form and an unknown address in Russian', async () => {
    const wrong = await accounts
      .visitor('192.0.2.71')
      .post('/account/sign-in', { email: 'x@example.com', password: 'x' }, russian);
    assert.match(wrong.text, /role="alert">Неверен адрес или пароль\./);
    const short = await accounts
      .visitor('192.0.2.72')
      .post('/account/sign-up', { email: 'no', password: 'x' }, russian);
    assert.match(short.text, /role="alert">[^<]*(?:не адрес электронной почты|должно быть от 10 до 200 символов)/);
    assert.deepEqual(latinTexts(short.text, ['no']), []);
    const unknown = await ann.get('/account/keys/999999', russian);
    assert.equal(unknown.status, 404);
    assert.match(unknown.text, /<h1>Не найдено<\/h1>[\s\S]*Ключа 999999 нет\./);
  });

  it('say in Russian why a passkey was refused', () => {
    const reasons = Object.values(REFUSED);
    assert.equal(reasons.length, 10);
    for (const reason of [...reasons, 'You have 20 passkeys, which is the maximum: remove one first.']) {
      const said = russianMessage(reason);
      assert.ok(said !== null && /^[А-Я]/.test(said), reason);
    }
  });

  it('describe corrections, their problems and their entries in the audit log', async () => {
    const match = `/operator/corrections/${await storeMatch(accounts)}`;
    const correct = (form: Record<string, string>) => operator.visitor.post(match, form, russian);
    const problems: [form: Record<string, string>, said: string][] = [
      [{ reason: 'протокол' }, 'исправьте хотя бы одно значение'],
      [{ score_home: '1', reason: 'протокол' }, 'Счёт: нужны два числа'],
      [{ other_venue: 'Нигде', reason: 'протокол' }, 'Стадион: стадиона "Нигде" нет'],
      [{ score_home: '1', score_away: '0' }, 'Причина: обязательное поле'],
      [{ goal: '99', other_scorer: 'Ана', reason: 'протокол' }, 'Гол: в матче нет гола 99'],
    ];
    for (const [form, said] of problems) {
      const { status, text } = await correct(form);
      assert.equal(status, 422, text);
      const shown = words(/role="alert">(.*?)<\/p>/s.exec(text)![1]!).replaceAll('&quot;', '"');
      assert.ok(shown.includes(said), `${shown} has ${said}`);
      assert.deepEqual(latinTexts(text, [...DATA, 'Reds', 'Co', 'Blues', 'First League', 'Ana']), []);
    }
    const form = { score_home: '1', score_away: '0', status: 'after_penalties', day: '2026-02-01', time: '15:30' };
    assert.equal((await correct({ ...form, reason: 'протокол' })).location, `${match}?done=corrected`);
    const { text } = await operator.visitor.get(match, russian);
    assert.match(words(text), /счёт 1:0, статус: закончен послематчевой серией, начало 2026-02-01 15:30 UTC/);
    const log = await read(operator.visitor, `/operator/audit?action=${encodeURIComponent('матч исправлен')}`);
    assert.doesNotMatch(words(log), /ключ создан/);
    assert.match(words(log), /матч исправлен матч \d+ operator@example\.com/);
    assert.match(
      words(log),
      /было: \([^)]*голы хозяев: 2,[^)]*\), причина: протокол,[^)]* стало: \(статус: закончен,[^)]*голы хозяев: 1,/,
    );
  });

  it('describe the state of a subscription and its failed deliveries', async () => {
    const { rows } = await accounts.pool.query<{ id: number }>('SELECT id FROM webhook_subscription');
    const hook = `/account/webhooks/${rows[0]!.id}`;
    await ann.post(`${hook}/test`, {});
    const set = (change: string) => accounts.pool.query(`UPDATE webhook_subscription SET ${change}`);
    await set(
      "last_failure = 'no reply within 8 s', last_failure_at = now(), disabled_reason = 'no_success', disabled_at = now()",
    );
    const disabled = words(await read(ann, hook));
    assert.match(disabled, /За 72 часов не удалась ни одна доставка\. Последняя ошибка: нет ответа за 8 с\./);
    await set(
      "disabled_reason = NULL, disabled_at = NULL, unconfirmed_since = '2026-03-01T12:00:00Z', challenges = 2, challenge_failure = 'status 500'",
    );
    const unconfirmed = words(await read(ann, hook));
    assert.match(
      unconfirmed,
      /С 2026-03-01 12:00 UTC ничего не отправляется[^.]*\. Отправлено проверок: 2; последняя не удалась \(статус 500\)/,
    );
    const log = await read(ann, `${hook}/deliveries`);
    const [, delivery = ''] = /href="([^"]*\/deliveries\/[^"?]+)"/.exec(log) ?? [];
    assert.match(words(await read(ann, delivery)), /соединение отклонено/);
  });

  it('keep the token of a link when the language is switched', async () => {
    const { visitor } = await accounts.signedUp('eve@example.com', '192.0.2.73');
    const token = accounts.tokenFor('eve@example.com');
    const { text } = await visitor.get(`/account/address?token=${token}`, { 'Accept-Language': 'ru' });
    const [, href = ''] = /<a class="language" href="([^"]+)"/.exec(text) ?? [];
    const switched = await visitor.get(`/account/address${href.replaceAll('&amp;', '&')}`);
    assert.match(switched.text, /Is eve@example\.com yours\?/);
  });

  it('say that a link was sent only if it was', async () => {
    const { visitor } = await accounts.signedUp('dan@example.com', '192.0.2.74');
    const overview = (await visitor.get('/account')).text;
    assert.doesNotMatch(overview, /link was sent/i);
    const outcomes = [];
    for (let sent = 0; sent < 3; sent += 1) outcomes.push((await visitor.post('/account/address/link', {})).location);
    assert.deepEqual(outcomes, ['/account?done=sent', '/account?done=sent', '/account?done=limited']);
    assert.match((await visitor.get('/account?done=limited')).text, /No link was sent/);
    assert.match((await visitor.get('/account?done=sent')).text, /A link is on its way/);
    const mute = await startAccountApp({}, false);
    const { visitor: unheard } = await mute.signedUp('mute@example.com');
    assert.equal((await unheard.post('/account/address/link', {})).location, '/account?done=unsent');
    await mute.close();
  });
});
