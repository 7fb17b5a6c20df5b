/** Texts about notifications in browsers: the account page, and the button of the pages (notify.js). */
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../html.ts';

const en = {
  title: 'Notifications',
  favourites: 'favourite teams',
  intro: (favourites: Html): Html =>
    html`Your browser can notify you of the matches of your ${favourites}: goals, the start, breaks and the result. It does so while no
page of this site is open.`,
  thisBrowser: 'This browser',
  needsScript: 'This browser needs JavaScript for notifications.',
  browsers: 'Browsers',
  none: 'None yet.',
  columns: ['Device', 'Since (UTC)'],
  remove: 'Remove',
  removeOne: 'Remove {device}',
  count: '{count} of {most}. Signing out removes the browser in which you sign out.',
  done: { removed: 'Removed: this browser gets no more notifications.' },

  script: {
    'notify-text': 'Notify me',
    'notify-on': 'Notifications are on',
    'notify-denied':
      'This browser does not allow notifications from this site. Allow them in the site settings, beside the address, and try again.',
    'notify-home-screen':
      'On an iPhone or iPad, first add this site to the Home Screen: Share, then Add to Home Screen. Then open it from there.',
    'notify-unsupported': 'This browser cannot show notifications.',
    'notify-failed': 'Notifications could not be turned on. Please try again later.',
    'notify-full':
      'Your account has as many browsers as it can have. Remove one on the page Notifications of your account.',
  },
};

const ru: typeof en = {
  title: 'Уведомления',
  favourites: 'любимых команд',
  intro: (favourites: Html): Html =>
    html`Браузер может сообщать о матчах ваших ${favourites}: о голах, начале, перерывах и результате. Страницы сайта при этом могут быть
закрыты.`,
  thisBrowser: 'Этот браузер',
  needsScript: 'Для уведомлений браузеру нужен JavaScript.',
  browsers: 'Браузеры',
  none: 'Пока нет.',
  columns: ['Устройство', 'С (UTC)'],
  remove: 'Убрать',
  removeOne: 'Убрать: {device}',
  count: '{count} из {most}. При выходе из аккаунта этот браузер убирается из списка.',
  done: { removed: 'Готово: этот браузер больше не получает уведомлений.' },

  script: {
    'notify-text': 'Уведомлять меня',
    'notify-on': 'Уведомления включены',
    'notify-denied':
      'Браузер запрещает этому сайту уведомления. Разрешите их в настройках сайта рядом с адресом и попробуйте снова.',
    'notify-home-screen':
      'На iPhone и iPad сначала добавьте сайт на экран «Домой»: «Поделиться», затем «На экран „Домой“». Потом откройте его оттуда.',
    'notify-unsupported': 'Этот браузер не умеет показывать уведомления.',
    'notify-failed': 'Не удалось включить уведомления. Попробуйте позже.',
    'notify-full': 'В аккаунте уже максимум браузеров. Уберите один на странице «Уведомления» в аккаунте.',
  },
};

export const NOTIFICATIONS: Record<Lang, typeof en> = { en, ru };
