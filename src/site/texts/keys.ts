/** Texts for the API key pages. */
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../html.ts';

const en = {
  title: 'Keys',
  /** Name for a key that has none. */
  unnamed: 'Key {id}',
  all: 'All keys',
  none: 'There are no keys yet.',
  columns: ['Key', 'Kind', 'State', 'Created (UTC)', 'Last used (UTC)'],
  kinds: { sk: 'secret', pk: 'publishable' },
  states: { active: 'active', expired: 'expired', revoked: 'revoked' },
  until: (end: Html) => html`until ${end}`,
  never: 'never',
  from: 'from {address}',

  create: 'Create a key',
  name: 'Name',
  nameHint: 'What uses it: a server, a site, a person.',
  kind: 'Kind',
  choices: {
    sk: 'Secret, for servers',
    pk: 'Publishable, for browsers: it reads all data and streams of the plan, within limits of its own, and cannot change the account',
  },
  addresses: 'Only from these addresses',
  addressesHint: 'Addresses and networks as 192.0.2.7 or 10.0.0.0/8, separated by spaces. Empty: from anywhere.',
  origins: 'Only on these sites (publishable keys)',
  originsHint: 'Origins as https://example.com, separated by spaces. Empty: on any site.',
  owner: 'Belongs to',
  owners: {
    organisation: 'the organisation',
    me: 'you: it permits what your role permits, and ends when you leave the organisation',
  },
  personalOnly: 'The key belongs to you: it permits what your role permits, and ends when you leave the organisation.',
  scopes: 'May be used for',
  scopeNames: {
    read: 'Data over REST, and tools',
    stream: 'Streams and replay',
    webhooks: 'Webhook subscriptions and stored events (secret keys)',
    account: 'Account, usage and audit log (secret keys)',
  },
  end: 'Valid until (UTC)',
  endHint: 'Empty: until it is revoked.',
  submit: 'Create the key',

  created: 'Key created',
  rotated: 'Key rotated',
  createdBefore: 'This key was created before and cannot be shown again.',
  new: 'Your key',
  copy: 'Copy it now: it is stored as a hash and cannot be shown again.',
  firstRequest: 'Your first request',
  goOn: 'Go on',

  key: 'Key',
  state: 'State',
  validUntil: (end: Html) => html`, valid until ${end}`,
  createdAt: 'Created',
  lastUsed: 'Last used',
  replacedBy: 'Replaced by',
  managed: 'Managed',
  managedShort: 'by the cluster',
  managedBy: ({ name, namespace }: { name: string; namespace: string }): Html =>
    html`by the cluster: ApiKey <code>${name}</code> in the namespace <code>${namespace}</code>. It is changed there.`,
  replacement: 'key {id}',
  save: 'Save',
  changed: 'Saved.',

  rotation: 'Rotate',
  rotationNote:
    'Makes a new key with the same settings. For some time both are valid, so that clients can be moved one by one.',
  overlap: 'The old key stays valid for',
  /** Texts by number of hours. */
  overlaps: { '0': 'no time', '1': 'an hour', '24': 'a day', '168': 'a week' },
  rotate: 'Rotate the key',

  revocation: 'Revoke',
  revocationNote: 'Within five seconds no request is answered with this key, and its streams end. It cannot be undone.',
  revoke: 'Revoke the key',
  revoked: 'The key is revoked.',
};

const ru: typeof en = {
  title: 'Ключи',
  unnamed: 'Ключ {id}',
  all: 'Все ключи',
  none: 'Ключей пока нет.',
  columns: ['Ключ', 'Вид', 'Состояние', 'Создан (UTC)', 'Последнее использование (UTC)'],
  kinds: { sk: 'секретный', pk: 'публичный' },
  states: { active: 'действует', expired: 'истёк', revoked: 'отозван' },
  until: (end: Html) => html`до ${end}`,
  never: 'ни разу',
  from: 'с адреса {address}',

  create: 'Создать ключ',
  name: 'Имя',
  nameHint: 'Кто им пользуется: сервер, сайт, человек.',
  kind: 'Вид',
  choices: {
    sk: 'Секретный, для серверов',
    pk: 'Публичный, для браузеров: читает все данные и потоки тарифа в пределах собственных лимитов, но не меняет аккаунт',
  },
  addresses: 'Только с этих адресов',
  addressesHint: 'Адреса и сети вида 192.0.2.7 или 10.0.0.0/8 через пробел. Пусто: откуда угодно.',
  origins: 'Только на этих сайтах (публичные ключи)',
  originsHint: 'Сайты вида https://example.com через пробел. Пусто: на любом сайте.',
  owner: 'Кому принадлежит',
  owners: {
    organisation: 'организации',
    me: 'вам: позволяет то же, что ваша роль, и отзывается, когда вы уходите из организации',
  },
  personalOnly:
    'Ключ принадлежит вам: он позволяет то же, что ваша роль, и отзывается, когда вы уходите из организации.',
  scopes: 'Для чего можно использовать',
  scopeNames: {
    read: 'Данные через REST и инструменты',
    stream: 'Потоки и повтор событий',
    webhooks: 'Вебхуки и сохранённые события (секретные ключи)',
    account: 'Аккаунт, расход и журнал (секретные ключи)',
  },
  end: 'Действует до (UTC)',
  endHint: 'Пусто: пока не будет отозван.',
  submit: 'Создать ключ',

  created: 'Ключ создан',
  rotated: 'Ключ заменён',
  createdBefore: 'Этот ключ уже был создан, показать его ещё раз нельзя.',
  new: 'Ваш ключ',
  copy: 'Скопируйте его сейчас: хранится только хеш, и показать ключ ещё раз нельзя.',
  firstRequest: 'Первый запрос',
  goOn: 'Дальше',

  key: 'Ключ',
  state: 'Состояние',
  validUntil: (end: Html) => html`, до ${end}`,
  createdAt: 'Создан',
  lastUsed: 'Последнее использование',
  replacedBy: 'Заменён на',
  managed: 'Управление',
  managedShort: 'в кластере',
  managedBy: ({ name, namespace }: { name: string; namespace: string }): Html =>
    html`в кластере: ApiKey <code>${name}</code> в пространстве имён <code>${namespace}</code>. Меняйте ключ там.`,
  replacement: 'ключ {id}',
  save: 'Сохранить',
  changed: 'Сохранено.',

  rotation: 'Замена',
  rotationNote:
    'Создаёт новый ключ с теми же настройками. Какое-то время действуют оба, чтобы клиентов можно было переводить по одному.',
  overlap: 'Старый ключ действует ещё',
  overlaps: { '0': 'нисколько', '1': 'час', '24': 'сутки', '168': 'неделю' },
  rotate: 'Заменить ключ',

  revocation: 'Отзыв',
  revocationNote:
    'Через пять секунд запросы с этим ключом больше не обслуживаются, а его потоки закрываются. Отменить это нельзя.',
  revoke: 'Отозвать ключ',
  revoked: 'Ключ отозван.',
};

export const KEYS: Record<Lang, typeof en> = { en, ru };
