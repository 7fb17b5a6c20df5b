/** Problems in Russian, for pages. Code creates problems in English, as the API sends them. */
import type { ProblemCode } from '../../http/index.ts';

/** Titles of whole pages. */
export const PROBLEM_TITLES_RU: Record<ProblemCode, string> = {
  bad_request: 'Запрос не удалось прочитать',
  key_missing: 'Ключ API не передан',
  key_invalid: 'Ключ API неизвестен',
  key_expired: 'Срок действия ключа API истёк',
  key_revoked: 'Ключ API отозван',
  plan_required: 'Это не входит в тариф',
  origin_not_allowed: 'С этого сайта ключ использовать нельзя',
  key_not_permitted: 'Это здесь не разрешено',
  csrf_failed: 'Запрос пришёл не со страницы этого сервиса',
  not_found: 'Не найдено',
  method_not_allowed: 'Так обратиться сюда нельзя',
  conflict: 'Это противоречит текущему состоянию',
  cursor_expired: 'Курсор старше хранимых событий',
  payload_too_large: 'Запрос слишком большой',
  unsupported_media_type: 'Этот тип данных не поддерживается',
  invalid_parameter: 'Неверные значения',
  invalid_cursor: 'Курсор неверен',
  cursor_filter_mismatch: 'Курсор относится к другим фильтрам',
  rate_limited: 'Слишком много запросов',
  quota_exceeded: 'Лимит запросов исчерпан',
  too_many_connections: 'Слишком много соединений',
  internal: 'Внутренняя ошибка',
  unavailable: 'Временно недоступно',
};

/** Sentences of problems that the reader of a form can have caused. */
const MESSAGES: Readonly<Record<string, string>> = {
  'A different account has this email.': 'Этот адрес уже у другого аккаунта.',
  'Decide whether the pair is the same or different.': 'Решите, одно и то же это или разные.',
  'Nobody can sign up here. Ask the operator of this service for an account.':
    'Зарегистрироваться здесь нельзя. Попросите аккаунт у оператора этого сервиса.',
  'Several mails were sent to this address within an hour. Try again later.':
    'За последний час на этот адрес ушло несколько писем. Попробуйте позже.',
  'The URL is not confirmed yet: confirm it first.': 'URL ещё не подтверждён: сначала подтвердите его.',
  'The account does not wait for approval.': 'Этот аккаунт не ждёт одобрения.',
  'The account has been deleted.': 'Аккаунт удалён.',
  'The account is suspended. Ask the operator of this service.':
    'Аккаунт приостановлен. Обратитесь к оператору этого сервиса.',
  'The account waits for approval by an operator of this service.': 'Аккаунт ждёт одобрения оператора этого сервиса.',
  'The account waits for approval. Approve or delete it.': 'Аккаунт ждёт одобрения. Одобрите или удалите его.',
  'The code is wrong or has already been used.': 'Код неверен или уже использован.',
  'The email or the password is wrong.': 'Неверен адрес или пароль.',
  'The key has been revoked.': 'Ключ отозван.',
  'The link is unknown, has expired or was used. Ask for a new one.':
    'Ссылка неизвестна, устарела или уже использована. Запросите новую.',
  'The subscription is disabled. To send these events, enable it from the same cursor or time.':
    'Подписка отключена. Чтобы отправить эти события, включите её с того же курсора или времени.',
  'There is already an account with this email. Sign in, or set a new password.':
    'Аккаунт с этим адресом уже есть. Войдите или задайте новый пароль.',
  'They have played in the same match, so they are two.': 'Они играли в одном матче, значит, это разные.',
  'Verify your address first: you can request a link on the overview of your account.':
    'Сначала подтвердите свой адрес: ссылку можно запросить в обзоре аккаунта.',
};

/** Details of problems with one field. They follow the name of the field. */
const DETAILS: Readonly<Record<string, string>> = {
  'The link is for another account, has expired or was used':
    'ссылка для другого аккаунта, устарела или уже использована',
  'are for publishable keys only': 'только для публичных ключей',
  'is for another email': 'для другого адреса',
  'is not a cursor': 'это не курсор',
  'is not a time': 'это не время',
  'is not an id': 'это не id',
  'is not one of the choices': 'такого варианта нет',
  'is not the code that the app shows now': 'приложение сейчас показывает другой код',
  'is not the email of this account': 'у этого аккаунта другой адрес',
  'is not your password': 'это не ваш пароль',
  'is required': 'обязательное поле',
  'is required, unless a cursor is given': 'обязательно, если не задан курсор',
  'is required: only invited people can sign up here': 'обязательно: зарегистрироваться можно только по приглашению',
  'is too easy to guess; a few words that do not belong together are hard to guess':
    'слишком легко угадать; трудно угадать несколько не связанных между собой слов',
  'is unknown, expired or used': 'неизвестно, устарело или уже использовано',
  'is wrong or has already been used': 'неверен или уже использован',
  'is your current address': 'это ваш нынешний адрес',
  'may not be given together with a cursor': 'нельзя задать вместе с курсором',
  'must be in the future': 'должно быть в будущем',
  'must not be in the future': 'не должно быть в будущем',
};

/** Details with a value in them. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^(".*") is not an email address$/, '$1 — не адрес электронной почты'],
  [/^(.*) is neither an IP address nor a network like 10\.0\.0\.0\/8$/, '$1 — не IP-адрес и не сеть вида 10.0.0.0/8'],
  [/^(.*) is not an origin like https:\/\/example\.com$/, '$1 — не сайт вида https://example.com'],
  [/^(.*) is not an id$/, '$1 — не id'],
  [/^must have (\d+) to (\d+) characters$/, 'должно быть от $1 до $2 символов'],
  [/^must have at most (\d+) characters.*$/, 'не больше $1 символов'],
];

const FIELDS: Readonly<Record<string, string>> = {
  email: 'Электронная почта',
  password: 'Пароль',
  current: 'Текущий пароль',
  code: 'Код',
  invitation: 'Приглашение',
  token: 'Ссылка',
  name: 'Имя',
  addresses: 'Адреса',
  origins: 'Сайты',
  expires_at: 'Срок действия',
  overlap: 'Срок замены',
  url: 'URL',
  since: 'С',
  until: 'До',
  cursor: 'Курсор',
  match_id: 'Матч',
  match_ids: 'Матчи',
  participant_ids: 'Команды или игроки',
  leagues: 'Лиги',
  score: 'Счёт',
  periods: 'Периоды',
  status: 'Статус',
  kick_off: 'Начало',
  venue: 'Стадион',
  goal: 'Гол',
  scorer: 'Автор гола',
  reason: 'Причина',
};

/** @returns a Russian sentence for a problem's message; null if there is none */
export const russianMessage = (message: string): string | null => MESSAGES[message] ?? null;

/** @returns a Russian sentence for a problem with a field; null if there is none */
export function russianDetail(parameter: string, detail: string): string | null {
  const pattern = PATTERNS.find(([english]) => english.test(detail));
  const text = DETAILS[detail] ?? (pattern && detail.replace(...pattern));
  const field = FIELDS[parameter.replace(/^\w+_(password|code)$/, '$1')];
  return text === undefined || field === undefined ? null : `${field}: ${text}.`;
}
