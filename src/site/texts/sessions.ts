/** Texts for lists of sessions. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Sessions',
  none: 'Nobody is signed in.',
  account: 'Account',
  columns: ['Device', 'Address', 'Since (UTC)', 'Last seen (UTC)'],
  device: { on: 'on', unknown: 'unknown' },
  current: '(this one)',
  end: 'End',
  endOne: 'End the session of {device}',
  more: 'These are the {count} most recently used.',

  endNote:
    'Both buttons also end the links that were sent to you, the address of your calendar, and notifications. Keys and webhooks stay.',
  endOthers: 'End all others',
  endAll: 'Sign out everywhere',
  done: {
    'session-ended': 'The session has ended.',
    'others-ended': 'All other sessions have ended.',
  },
};

const ru: typeof en = {
  title: 'Сеансы',
  none: 'Никто не вошёл.',
  account: 'Аккаунт',
  columns: ['Устройство', 'Адрес', 'С (UTC)', 'Последняя активность (UTC)'],
  device: { on: 'на', unknown: 'неизвестно' },
  current: '(этот)',
  end: 'Завершить',
  endOne: 'Завершить сеанс: {device}',
  more: 'Показаны последние использованные, {count}.',

  endNote:
    'Обе кнопки отзывают и присланные вам ссылки, и адрес вашего календаря, и уведомления. Ключи и вебхуки остаются.',
  endOthers: 'Завершить все остальные',
  endAll: 'Выйти везде',
  done: {
    'session-ended': 'Сеанс завершён.',
    'others-ended': 'Все остальные сеансы завершены.',
  },
};

export const SESSIONS: Record<Lang, typeof en> = { en, ru };
