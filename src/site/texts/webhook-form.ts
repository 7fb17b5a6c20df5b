/** Texts for the settings of a subscription. */
import type { Lang } from '../../http/index.ts';
import { html } from '../html.ts';

const en = {
  url: 'URL',
  urlHint: 'Where events are sent: https, and reachable from the internet.',
  description: 'Description',
  eventTypes: 'Event types',
  allOfMatches: 'All events of matches',
  noticesHint: html`A type that begins with <code>webhook.</code> is a notice about one of your other subscriptions. A subscription gets notices only
if they are chosen here. With notices alone, no events of matches are sent.`,
  sports: 'Sports',
  leagues: 'Leagues',
  chosen: '{count} chosen',
  noLeague: 'No other league was found.',
  searchLeagues: 'Search for leagues',
  search: 'Search',
  matches: 'Only these matches',
  matchesHint: 'Ids, separated by spaces. Empty: all matches.',
  participants: 'Only these teams or players',
  participantsHint:
    'Ids of the home or the away side, separated by spaces. Empty: all. An event has to pass all filters that are set.',
  conditions: 'Conditions on fields',
  conditionsHint: html`One on each line, at most 10; an event has to meet all. For example: <code>data.match.minute >= 80</code>, or
<code>data.incident.kind in goal | card</code>.`,
  preview: 'Try the filters on the newest events',
  headers: 'Headers',
  headersHint: html`One on each line, as <code>Name: value</code>; at most 20 with the secret ones.`,
  secretHeaders: 'Secret headers',
  secretHeadersHint: 'Their values are stored encrypted, and not shown again. A line with dots keeps its value.',
  ordering: 'Order',
  orderings: {
    none: 'None: an event that fails delays no other event',
    match: 'By match: if an event fails, the later events of its match wait',
  },
  maxPerSecond: 'Requests a second, at most',
  maxInFlight: 'Requests at the same time, at most',
  paceHint: 'Empty: as fast as the service allows.',
  delay: 'Delay in seconds',
  delayHint:
    'Up to 600: each event is sent so many seconds later, so that no score arrives before the television shows it.',
};

const ru: typeof en = {
  url: 'URL',
  urlHint: 'Куда отправлять события: https, доступный из интернета.',
  description: 'Описание',
  eventTypes: 'Типы событий',
  allOfMatches: 'Все события матчей',
  noticesHint: html`Тип, который начинается с <code>webhook.</code>, — уведомление о другой вашей подписке. Уведомления приходят, только если
они здесь выбраны. Если выбраны только они, события матчей не отправляются.`,
  sports: 'Виды спорта',
  leagues: 'Лиги',
  chosen: 'выбрано: {count}',
  noLeague: 'Других лиг не нашлось.',
  searchLeagues: 'Поиск лиг',
  search: 'Искать',
  matches: 'Только эти матчи',
  matchesHint: 'Id через пробел. Пусто: все матчи.',
  participants: 'Только эти команды или игроки',
  participantsHint: 'Id хозяев или гостей через пробел. Пусто: все. Событие должно пройти все заданные фильтры.',
  conditions: 'Условия на поля',
  conditionsHint: html`По одному в строке, не больше 10; событие должно выполнить все. Например: <code>data.match.minute >= 80</code> или
<code>data.incident.kind in goal | card</code>.`,
  preview: 'Проверить фильтры',
  headers: 'Заголовки',
  headersHint: html`По одному в строке: <code>Name: value</code>; вместе с секретными не больше 20.`,
  secretHeaders: 'Секретные заголовки',
  secretHeadersHint:
    'Их значения хранятся в зашифрованном виде и больше не показываются. Строка с точками оставляет значение прежним.',
  ordering: 'Порядок',
  orderings: {
    none: 'Не важен: неудавшееся событие не задерживает другие',
    match: 'По матчам: если событие не доставлено, следующие события матча ждут',
  },
  maxPerSecond: 'Запросов в секунду, не больше',
  maxInFlight: 'Запросов одновременно, не больше',
  paceHint: 'Пусто: так быстро, как позволяет сервис.',
  delay: 'Задержка в секундах',
  delayHint: 'До 600: каждое событие отправляется на столько секунд позже, чтобы счёт не опережал телевизор.',
};

export const WEBHOOK_FORM: Record<Lang, typeof en> = { en, ru };
