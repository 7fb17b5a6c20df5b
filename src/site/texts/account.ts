/** Texts for the frame of the account pages, and for the overview, plan and audit log. */
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../html.ts';

const en = {
  /** Names the navigation. */
  area: 'Account',
  signOut: 'Sign out',
  own: 'Your account',
  /** The parameter `url` in problems with forms. */
  url: 'URL',

  overview: 'Overview',
  done: {
    verified: 'Your address is verified.',
    deleted: 'The organisation is deleted. This is another one to which you belong.',
    sent: 'A link is on its way to your address.',
    limited: 'No link was sent, because several were sent to your address within the last hour. Try again later.',
    unsent: 'No link was sent, because this service cannot send mail now. Ask its operator.',
  },
  operator: 'You are an operator of this service:',
  operatorPages: 'accounts, sessions, plans, approval and audit log',
  email: 'Account',
  channels: 'Streams and webhooks',
  withChannels: 'included, {connections} connections',
  withoutChannels: 'not included in this plan',
  keys: 'Keys',
  keysInUse: '{count} in use',
  since: 'Since',
  use: 'Use of your plan',
  usage: 'By day, endpoint and key',
  goOn: 'Where to go from here',
  guides: (docs: string): Html => html`<a href="${docs}/guides">Guides</a>: quick start, streaming, webhooks, limits`,
  reference: (docs: string): Html => html`<a href="${docs}">The reference of the API</a>, with examples of every reply`,
  leagues: (docs: string): Html => html`<a href="${docs}/leagues.html">All leagues</a>, and how much is known of each`,

  plan: 'Plan',
  changePlan: (operator: Html | false): Html => html`To change your plan,
ask the operator of this service${operator && html`: ${operator}`}. It takes effect within seconds, for all keys.`,
  plans: {
    title: 'Plans',
    columns: ['Plan', 'A month', 'Limits', 'Streams', 'Webhooks'],
    limits:
      'All secret keys of an account share these limits. All publishable keys share as much again, unless the plan says otherwise.',
    own: 'yours',
    included: 'yes',
    notIncluded: 'no',
  },

  audit: {
    title: 'Audit log',
    columns: ['Time (UTC)', 'What', 'Of', 'By', 'From', 'Details'],
    /** Comes after the column What in the log of all accounts. */
    account: 'Account',
    byOperator: '(operator)',
    older: 'Older entries',
    file: 'The whole log as a file',
  },
};

const ru: typeof en = {
  area: 'Аккаунт',
  signOut: 'Выйти',
  own: 'Ваш аккаунт',
  url: 'URL',

  overview: 'Обзор',
  done: {
    verified: 'Ваш адрес подтверждён.',
    deleted: 'Организация удалена. Это другая организация, в которой вы состоите.',
    sent: 'Ссылка отправлена на ваш адрес.',
    limited: 'Ссылка не отправлена: за последний час на этот адрес уже ушло несколько. Попробуйте позже.',
    unsent: 'Ссылка не отправлена: этот сервис сейчас не может отправлять почту. Обратитесь к его оператору.',
  },
  operator: 'Вы оператор этого сервиса:',
  operatorPages: 'аккаунты, сеансы, тарифы, допуск и журнал изменений',
  email: 'Аккаунт',
  channels: 'Потоки и вебхуки',
  withChannels: 'входят в тариф, соединений: {connections}',
  withoutChannels: 'не входят в этот тариф',
  keys: 'Ключи',
  keysInUse: 'используется: {count}',
  since: 'С',
  use: 'Расход по тарифу',
  usage: 'По дням, адресам API и ключам',
  goOn: 'Что дальше',
  guides: (docs: string): Html =>
    html`<a href="${docs}/guides">Руководства</a>: быстрый старт, потоки, вебхуки, лимиты`,
  reference: (docs: string): Html => html`<a href="${docs}">Справочник API</a> с примерами всех ответов`,
  leagues: (docs: string): Html => html`<a href="${docs}/leagues.html">Все лиги</a> и полнота данных о каждой`,

  plan: 'Тариф',
  changePlan: (operator: Html | false): Html => html`Чтобы сменить тариф,
обратитесь к оператору этого сервиса${operator && html`: ${operator}`}. Новый тариф начинает действовать через несколько секунд,
сразу для всех ключей.`,
  plans: {
    title: 'Тарифы',
    columns: ['Тариф', 'В месяц', 'Лимиты', 'Потоки', 'Вебхуки'],
    limits:
      'Лимиты общие для всех секретных ключей аккаунта. У всех публичных ключей вместе такие же лимиты, если в тарифе не указано иное.',
    own: 'ваш',
    included: 'да',
    notIncluded: 'нет',
  },

  audit: {
    title: 'Журнал изменений',
    columns: ['Время (UTC)', 'Что', 'Объект', 'Кто', 'Откуда', 'Подробности'],
    account: 'Аккаунт',
    byOperator: '(оператор)',
    older: 'Более ранние записи',
    file: 'Весь журнал файлом',
  },
};

export const ACCOUNT: Record<Lang, typeof en> = { en, ru };
