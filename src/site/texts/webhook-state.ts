/** Texts about a subscription's state and deliveries, in Russian. The service stores failures in English, as the API sends them. */

import { utcText } from './day.ts';

/** Reasons why an attempt failed. */
const FAILURES: Readonly<Record<string, string>> = {
  'connection broken': 'соединение оборвалось',
  'connection refused': 'соединение отклонено',
  'connection timed out': 'соединение не открылось вовремя',
  'host unreachable': 'узел недоступен',
  'network unreachable': 'сеть недоступна',
  'the address has spaces, control characters or backslashes':
    'в адресе есть пробелы, управляющие символы или обратная косая черта',
  'the address is not a URL': 'адрес — не URL',
  'the address is not a public address': 'адрес не публичный',
  'the address may not contain a user name or a password': 'в адресе не должно быть имени пользователя и пароля',
  'the address may not have a fragment': 'в адресе не должно быть части после #',
  'the address must be an https address': 'адрес должен начинаться с https',
  'the address must have a public name': 'у адреса должно быть публичное имя',
  'the address must not end with a dot': 'имя в адресе не должно оканчиваться точкой',
  'the address must use port 443': 'порт адреса должен быть 443',
  'the certificate has expired': 'срок сертификата истёк',
  'the certificate is for another name': 'сертификат выдан на другое имя',
  'the certificate is not trusted': 'сертификату нет доверия',
  'the broker does not accept the topic': 'брокер не принимает топик',
  'the event is larger than the broker allows': 'событие больше, чем допускает брокер',
  'the event is larger than the topic allows': 'событие больше, чем допускает топик',
  'the reply does not repeat the challenge': 'ответ не повторяет текст проверки',
  'the reply is not HTTP': 'ответ не по протоколу HTTP',
  'the topic does not exist': 'такого топика нет',
  'the user may not publish to the topic': 'пользователь не может публиковать в топик',
  'the user may not write to the topic': 'пользователь не может писать в топик',
  'the user name or the password is wrong': 'неверное имя пользователя или пароль',
};

const FAILURE_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^no reply within (\d+) s$/, 'нет ответа за $1 с'],
  [/^status (\d+)$/, 'статус $1'],
  [/^(Kafka|MQTT) answered (\w+)$/, 'ответ $1: $2'],
  [/^the address must use port (\d+(?:, \d+)+)$/, 'порт адреса должен быть одним из: $1'],
  [/^(?:the address )?the name cannot be resolved .*$/, 'имя узла не найдено в DNS'],
  [/^the address has more than (\d+) characters$/, 'в адресе больше $1 символов'],
];

/** Returns a failure in Russian. An error code of the system, such as `EMFILE`, is the same in both languages. */
export function failureRu(failure: string): string {
  const pattern = FAILURE_PATTERNS.find(([english]) => english.test(failure));
  return FAILURES[failure] ?? (pattern ? failure.replace(...pattern) : failure);
}

/** Why headers of an attempt have no signature. */
export const UNSIGNED_RU: Readonly<Record<string, string>> = {
  'The clock of this service was set, so the time of the signature is not known.':
    'Часы этого сервиса переставлены, поэтому время подписи неизвестно.',
  'The body is not stored any more, so the signature is not known.':
    'Тело уже не хранится, поэтому подпись неизвестна.',
  'Chats get the event as a line of text, without a signature.':
    'В чаты событие отправляется строкой текста, без подписи.',
  'The secret was rotated since, or cannot be read, so the signature is not known.':
    'Секрет с тех пор заменили, или его нельзя прочитать, поэтому подпись неизвестна.',
};

/** Sentences about a subscription's state. */
export const SUBSCRIPTION_RU = {
  failure: failureRu,
  time: utcText,
  gone: 'Приёмник ответил 410: доставки ему больше не нужны.',
  disabled: (hours: number): string => `За ${hours} часов не удалась ни одна доставка.`,
  lastFailure: (failure: string): string => `Последняя ошибка: ${failure}.`,
  unconfirmed: (since: string): string => `С ${since} ничего не отправляется: приёмник ещё не ответил на проверку.`,
  challenges: (count: number, failure: string): string =>
    `Отправлено проверок: ${count}; последняя не удалась (${failure}).`,
  noMoreChallenges: 'Новой проверки не будет, пока вы её не запросите.',
  fault: (since: string): string => `с ${since} события не отправляются, потому что сохранённые настройки непригодны`,
  gap: ({ at, from, to }: { at: string; from: number; to: number }): string =>
    `события после курсора ${from} до ${to} на ${at} уже не хранились и отправлены не будут`,
};
