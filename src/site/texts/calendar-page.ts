/** Texts for the page of a member's own calendar. */
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../html.ts';

const en = {
  title: 'Calendar',
  intro: `A calendar program that subscribes to this calendar shows the matches of your favourite teams and tournaments, their new
times if they are moved, and their results.`,
  done: {
    added: 'Added to your favourites.',
    removed: 'Removed from your favourites.',
    revoked: 'The address is revoked: calendar programs that use it get an error.',
    none: 'There was no address.',
  },

  favourites: 'Favourites',
  none: 'None yet: search for a team or a tournament below.',
  columns: ['Name', 'Kind', 'Sport', 'Id'],
  kinds: { team: 'team', tournament: 'tournament' },
  alone: 'Alone',
  subscribe: 'Subscribe',
  subscribeTo: 'Subscribe to {name} alone',
  file: 'File',
  fileOf: 'File of {name} alone',
  count: '{count} of {most}.',
  aloneNote: html`This site is not public: to subscribe to one alone, add the <code>&amp;token=…</code> of your own address to the
end of its address.`,
  remove: 'Remove',
  removeOne: 'Remove {name}',

  addFavourite: 'Add a favourite',
  query: 'Team or tournament',
  search: 'Search',
  found: 'Found',
  noneFound: 'No team or tournament was found for “{query}”.',
  add: 'Add',
  addOne: 'Add {name}',

  address: 'Address',
  noAddress: 'Your calendar has no address yet. Whoever knows the address can read the calendar.',
  hasAddress: (since: Html): Html =>
    html`Your calendar has had an address since ${since} (UTC). It was shown once. A new one replaces it:
calendar programs that use the old one then get an error.`,
  create: 'Create the address',
  replace: 'Replace the address',
  replaceQuestion:
    'Replace it now? Calendar programs that use the old address get an error, and the new one is shown once.',
  replaceNow: 'Yes, replace the address',
  revoke: 'Revoke the address',
  revokeQuestion: 'Revoke it now? Calendar programs that use it get an error. It cannot be undone.',
  revokeNow: 'Yes, revoke the address',

  newAddress: {
    title: 'The address of your calendar',
    note: 'Whoever knows this address can read your calendar. It is not shown again.',
    subscribe: 'Subscribe in your calendar program',
    parameters: (
      token: string,
    ): Html => html`With <code>&amp;lang=ru</code> at the end of the address the calendar is in Russian.
If the site is not public, <code>&amp;token=${token}</code> at the end of the address of a team's or a tournament's calendar opens that
calendar.`,
    stored: 'I have stored it',
  },
};

const ru: typeof en = {
  title: 'Календарь',
  intro: `Если подписаться на этот календарь в программе-календаре, она покажет матчи ваших любимых команд и турниров, новое время
перенесённых матчей и результаты.`,
  done: {
    added: 'Добавлено в избранное.',
    removed: 'Удалено из избранного.',
    revoked: 'Адрес отозван: программы, которые им пользуются, получают ошибку.',
    none: 'Адреса не было.',
  },

  favourites: 'Избранное',
  none: 'Пока пусто. Найдите команду или турнир ниже.',
  columns: ['Название', 'Тип', 'Вид спорта', 'Id'],
  kinds: { team: 'команда', tournament: 'турнир' },
  alone: 'Отдельно',
  subscribe: 'Подписаться',
  subscribeTo: 'Подписаться только на «{name}»',
  file: 'Файл',
  fileOf: 'Файл только для «{name}»',
  count: '{count} из {most}.',
  aloneNote: html`Этот сайт не публичный. Чтобы подписаться на что-то одно, добавьте <code>&amp;token=…</code> из своего адреса в
конец нужного адреса.`,
  remove: 'Убрать',
  removeOne: 'Убрать: {name}',

  addFavourite: 'Добавить в избранное',
  query: 'Команда или турнир',
  search: 'Искать',
  found: 'Найдено',
  noneFound: 'По запросу «{query}» не нашлось ни команд, ни турниров.',
  add: 'Добавить',
  addOne: 'Добавить: {name}',

  address: 'Адрес',
  noAddress: 'У вашего календаря пока нет адреса. Прочитать календарь может любой, кто знает его адрес.',
  hasAddress: (since: Html): Html =>
    html`Адрес у календаря есть с ${since} (UTC). Он был показан один раз. Новый адрес заменит его: программы, которые
пользуются старым, получат ошибку.`,
  create: 'Создать адрес',
  replace: 'Заменить адрес',
  replaceQuestion:
    'Заменить сейчас? Программы, которые пользуются старым адресом, получат ошибку. Новый адрес будет показан один раз.',
  replaceNow: 'Да, заменить адрес',
  revoke: 'Отозвать адрес',
  revokeQuestion: 'Отозвать сейчас? Программы, которые им пользуются, получат ошибку. Отменить это нельзя.',
  revokeNow: 'Да, отозвать адрес',

  newAddress: {
    title: 'Адрес вашего календаря',
    note: 'Прочитать календарь может любой, кто знает этот адрес. Больше он показан не будет.',
    subscribe: 'Подписаться в своём календаре',
    parameters: (
      token: string,
    ): Html => html`Если в конец адреса добавить <code>&amp;lang=ru</code>, календарь будет на русском языке.
Если сайт не публичный, <code>&amp;token=${token}</code> в конце адреса календаря команды или турнира открывает и этот
календарь.`,
    stored: 'Адрес сохранён',
  },
};

export const CALENDAR_PAGE: Record<Lang, typeof en> = { en, ru };
