/** Texts for the delivery log of a subscription. */
import type { Lang } from '../../http/index.ts';

const listEn = {
  title: 'Deliveries',
  none: 'There are no such deliveries.',
  noneAmongNewest: 'There are no such deliveries among the newest.',
  columns: ['Event', 'First attempt (UTC)', 'State', 'Reply', 'Attempts', 'Duration', 'Next attempt (UTC)'],
  states: { pending: 'pending', delivered: 'delivered', failed: 'failed' },
  state: 'State',
  eventType: 'Event type',
  match: 'Match',
  since: 'Since (UTC)',
  until: 'Before (UTC)',
  show: 'Show',
  older: 'Older deliveries',
  retryAll: 'Retry all',
  retryFailed: 'Retry all that have failed',
  retryNote: 'At most 500 wait at a time; the oldest come first, beside live events.',
  retried: 'The delivery is retried now.',
  retriedMany: '{count} deliveries are retried now.',
  skipped: 'The delivery is given up.',
  more: ' There are more: retry them when these have been sent.',
};

const listRu: typeof listEn = {
  title: 'Доставки',
  none: 'Таких доставок нет.',
  noneAmongNewest: 'Среди последних таких доставок нет.',
  columns: [
    'Событие',
    'Первая попытка (UTC)',
    'Состояние',
    'Ответ',
    'Попытки',
    'Длительность',
    'Следующая попытка (UTC)',
  ],
  states: { pending: 'ждёт', delivered: 'доставлено', failed: 'не доставлено' },
  state: 'Состояние',
  eventType: 'Тип события',
  match: 'Матч',
  since: 'С (UTC)',
  until: 'До (UTC)',
  show: 'Показать',
  older: 'Более ранние доставки',
  retryAll: 'Повторить все',
  retryFailed: 'Повторить все неудавшиеся',
  retryNote: 'Одновременно ждут не больше 500; сначала самые ранние, вместе с новыми событиями.',
  retried: 'Доставка повторяется.',
  retriedMany: 'Повторяются доставки: {count}.',
  skipped: 'Доставка пропущена.',
  more: ' Есть ещё: повторите их, когда эти будут отправлены.',
};

export const DELIVERIES: Record<Lang, typeof listEn> = { en: listEn, ru: listRu };

const oneEn = {
  title: 'Delivery',
  event: 'Event',
  next: 'Next attempt',
  noNext: 'none',
  retry: 'Retry now',
  skip: 'Give it up',
  skipNote: 'It is not retried any more. If events are ordered, the later events of its match are sent.',
  request: 'Request',
  raw: 'The body of the request, as it was sent',
  notStored: 'Its body is not stored any more.',
  attempts: 'Attempts',
  columns: ['Attempt', 'Time (UTC)', 'Outcome', 'Duration', 'Reply'],
  status: 'status {status}',
  attempt: 'Attempt {attempt}',
  headersOf: 'Headers of attempt {attempt}',
  headers: 'Sent headers',
  headersNote: `Besides HTTP’s own headers. The signatures are made again from the secret of that time, which they do not reveal;
the version in User-Agent is the present one.`,
};

const oneRu: typeof oneEn = {
  title: 'Доставка',
  event: 'Событие',
  next: 'Следующая попытка',
  noNext: 'нет',
  retry: 'Повторить сейчас',
  skip: 'Пропустить',
  skipNote: 'Она больше не повторяется. Если задан порядок, отправляются следующие события её матча.',
  request: 'Запрос',
  raw: 'Тело запроса, как оно отправлено',
  notStored: 'Его тело уже не хранится.',
  attempts: 'Попытки',
  columns: ['Попытка', 'Время (UTC)', 'Итог', 'Длительность', 'Ответ'],
  status: 'статус {status}',
  attempt: 'Попытка {attempt}',
  headersOf: 'Заголовки попытки {attempt}',
  headers: 'Отправленные заголовки',
  headersNote: `Кроме собственных заголовков HTTP. Подписи вычислены заново по секрету того времени, по ним его не узнать;
версия в User-Agent — нынешняя.`,
};

export const DELIVERY: Record<Lang, typeof oneEn> = { en: oneEn, ru: oneRu };
