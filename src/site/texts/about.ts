/** Texts that describe the service on the front page, in both languages. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Sports data over one API',
  summary:
    'Touchline is one catalogue of matches, teams, players and tournaments, with analytics: over REST, as live streams (SSE and WebSocket), and as signed webhooks.',
  signUp: 'Get an API key',
  signUpInvited: 'Sign up with an invitation',
  invited: 'Creating an account takes an invitation from the operator of this service.',
  off: 'Accounts are created by the operator of this service.',
  quickStart: 'Quick start',
  reference: 'API reference',
  leagues: 'Leagues and coverage',
  closed: 'The documentation is public. Data requires an API key.',
  features: [
    {
      name: 'REST',
      what: 'Matches with line-ups, incidents and statistics, standings, search in English and Russian. Sync hands over every change since the last one.',
      guide: '/guides/quick-start',
    },
    {
      name: 'Streams',
      what: 'Goals, cards and results as they happen, by SSE or WebSocket. A client that was away continues from its cursor.',
      guide: '/guides/streaming',
    },
    {
      name: 'Webhooks',
      what: 'The same events as signed POST requests to your server, with retries. Standard Webhooks libraries verify them.',
      guide: '/guides/webhooks',
    },
    {
      name: 'Analytics',
      what: 'Form, head-to-head records, trends and forecasts of matches, computed from their history.',
      guide: '',
    },
  ],
};
type AboutTexts = typeof en;

const ru: AboutTexts = {
  title: 'Спортивные данные через один API',
  summary:
    'Touchline — единый каталог матчей, команд, игроков и турниров с аналитикой: REST, потоки событий (SSE и WebSocket) и подписанные вебхуки.',
  signUp: 'Получить ключ API',
  signUpInvited: 'Регистрация по приглашению',
  invited: 'Чтобы создать аккаунт, нужно приглашение оператора этого сервиса.',
  off: 'Аккаунты создаёт оператор этого сервиса.',
  quickStart: 'Быстрый старт',
  reference: 'Справочник API',
  leagues: 'Лиги и их покрытие',
  closed: 'Документация открыта, для данных нужен ключ API.',
  features: [
    {
      name: 'REST',
      what: 'Матчи с составами, событиями и статистикой, таблицы, поиск на русском и английском. Синхронизация отдаёт все изменения с прошлого раза.',
      guide: '/guides/quick-start',
    },
    {
      name: 'Потоки',
      what: 'Голы, карточки и результаты в момент, когда они происходят, по SSE или WebSocket. После обрыва клиент продолжает со своего курсора.',
      guide: '/guides/streaming',
    },
    {
      name: 'Вебхуки',
      what: 'Те же события подписанными запросами POST на ваш сервер, с повторами. Подпись проверяют библиотеки Standard Webhooks.',
      guide: '/guides/webhooks',
    },
    {
      name: 'Аналитика',
      what: 'Форма, личные встречи, тренды и прогнозы матчей, рассчитанные по истории.',
      guide: '',
    },
  ],
};

export const about: Record<Lang, AboutTexts> = { en, ru };
