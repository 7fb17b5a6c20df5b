/** Texts for the usage page. */
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../html.ts';

const en = {
  title: 'Usage',
  now: 'Now',
  delay: 'Requests show up after a few seconds.',
  secretKeys: 'Secret keys',
  publishableKeys: 'Publishable keys',
  windows: { burst: 'A second', day: 'Today', month: 'This month' },
  noLimits: 'No limits',
  limit: '{window}: at most {limit} requests',
  used: (of: { window: string; used: string; limit: string; left: string; until: Html }): Html =>
    html`${of.window}: ${of.used} of ${of.limit} requests,
${of.left} left until ${of.until}`,

  byDay: 'Requests by day',
  range: '{days} days',
  totals: `{from} to {to} (UTC). {requests} requests, {billable}
counted towards the plan, {notModified} not modified, {refused} refused. The most on one day:
{most}.`,
  none: 'No requests from {from} to {to} (UTC).',
  incomplete: 'Older days cannot be read at the moment and are missing here.',

  counts: ['Requests', 'Counted', 'Not modified', 'Refused (429)'],
  endpoints: { title: 'By endpoint and status', label: 'By endpoint', column: 'Endpoint' },
  keys: { title: 'By key', label: 'By key', column: 'Key' },

  channels: 'Streams and webhooks',
  streams: 'Open streams, at most',
  events: 'Events delivered by streams',
  deliveries: 'Webhook deliveries',
  attempts: '{deliveries} in {attempts} attempts',
};

const ru: typeof en = {
  title: 'Расход',
  now: 'Сейчас',
  delay: 'Запросы появляются здесь через несколько секунд.',
  secretKeys: 'Секретные ключи',
  publishableKeys: 'Публичные ключи',
  windows: { burst: 'За секунду', day: 'Сегодня', month: 'В этом месяце' },
  noLimits: 'Без лимитов',
  limit: '{window}: не больше {limit} запросов',
  used: (of: { window: string; used: string; limit: string; left: string; until: Html }): Html =>
    html`${of.window}: ${of.used} из ${of.limit} запросов,
осталось ${of.left} до ${of.until}`,

  byDay: 'Запросы по дням',
  range: '{days} дней',
  totals: `С {from} по {to} (UTC). Запросов: {requests}, из них засчитано по тарифу {billable},
без изменений {notModified}, отклонено {refused}. Больше всего за день:
{most}.`,
  none: 'С {from} по {to} (UTC) запросов не было.',
  incomplete: 'Более ранние дни сейчас прочитать нельзя, здесь их нет.',

  counts: ['Запросы', 'Засчитано', 'Без изменений', 'Отклонено (429)'],
  endpoints: { title: 'По адресам API и статусам', label: 'По адресам API', column: 'Адрес' },
  keys: { title: 'По ключам', label: 'По ключам', column: 'Ключ' },

  channels: 'Потоки и вебхуки',
  streams: 'Открытых потоков, не больше',
  events: 'Событий доставлено потоками',
  deliveries: 'Доставок вебхуками',
  attempts: '{deliveries}, попыток: {attempts}',
};

export const USAGE: Record<Lang, typeof en> = { en, ru };
