/** Texts for the settings of destinations that are not URLs. */
import type { Lang } from '../../http/index.ts';

const en = {
  label: 'Send events to',
  names: { kafka: 'Kafka', mqtt: 'MQTT', slack: 'Slack', discord: 'Discord', telegram: 'Telegram' },
  fields: {
    brokers: 'Brokers',
    topic: 'Topic',
    mechanism: 'How to sign in',
    username: 'User name',
    password: 'Password',
    tls: 'Encrypt the connection (TLS)',
    broker: 'Broker',
    prefix: 'First part of every topic',
    home_assistant: 'Show sensors in Home Assistant',
    url: 'Webhook address',
    token: 'Token of the bot',
    chat_id: 'Chat',
    api: 'Server',
    language: 'Language of the messages',
  },
  hints: {
    brokers: 'Host and port, separated by spaces.',
    topic: 'A topic that exists.',
    broker: 'Host and port.',
    chat_id: 'Its id, or @ and the name of a channel.',
  },
  secretHint: 'It is stored encrypted and not shown again. In a change, an empty field keeps it.',
  /** A reply without a status. */
  received: 'The receiver has confirmed it',
};

const ru: typeof en = {
  label: 'Куда отправлять события',
  names: { kafka: 'Kafka', mqtt: 'MQTT', slack: 'Slack', discord: 'Discord', telegram: 'Telegram' },
  fields: {
    brokers: 'Брокеры',
    topic: 'Топик',
    mechanism: 'Способ входа',
    username: 'Имя пользователя',
    password: 'Пароль',
    tls: 'Шифровать соединение (TLS)',
    broker: 'Брокер',
    prefix: 'Начало всех топиков',
    home_assistant: 'Показывать датчики в Home Assistant',
    url: 'Адрес вебхука',
    token: 'Токен бота',
    chat_id: 'Чат',
    api: 'Сервер',
    language: 'Язык сообщений',
  },
  hints: {
    brokers: 'Хост и порт, через пробел.',
    topic: 'Топик должен существовать.',
    broker: 'Хост и порт.',
    chat_id: 'Его id или @ и название канала.',
  },
  secretHint:
    'Хранится в зашифрованном виде и больше не показывается. При изменении пустое поле оставляет прежнее значение.',
  received: 'Получатель подтвердил приём',
};

export const DESTINATIONS: Record<Lang, typeof en> = { en, ru };
