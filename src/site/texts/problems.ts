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
  role_not_permitted: 'Ваша роль в организации этого не позволяет',
  address_unverified: 'Адрес аккаунта не подтверждён',
  sign_in_required: 'Для этого нужно войти не раньше 10 минут назад',
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
  'This service may not change matches on pages: DATABASE_CORRECTIONS_URL is missing.':
    'Сервису нельзя менять матчи на страницах: не задан DATABASE_CORRECTIONS_URL.',
  'A different account has this email.': 'Этот адрес уже у другого аккаунта.',
  'An organisation has at most 200 members.': 'В организации может быть не больше 200 участников.',
  'The invitation is unknown, has expired, or was used or revoked. Ask for a new one.':
    'Приглашение неизвестно, устарело, использовано или отозвано. Запросите новое.',
  'The organisation would have no owner. Hand it over to another member first, or delete it.':
    'У организации не осталось бы владельца. Сначала передайте её другому участнику или удалите её.',
  'There is no open offer.': 'Открытого предложения нет.',
  'There is already an organisation with your address.': 'Организация с вашим адресом уже есть.',
  'This form is for another organisation than the one that is chosen now. Nothing was changed. Open the page again.':
    'Эта форма относится не к той организации, которая выбрана сейчас. Ничего не изменено. Откройте страницу снова.',
  'This is an operator of this service. Remove that role first: touchline account operator EMAIL --revoke.':
    'Это оператор сервиса. Сначала снимите с него эту роль из командной строки.',
  'This member is an owner already.': 'Этот участник уже владелец.',
  'This person is a member already.': 'Этот человек уже участник.',
  'You are a member of this organisation already.': 'Вы уже участник этой организации.',
  'Your organisation has sent many invitations. Wait.': 'Ваша организация отправила много приглашений. Подождите.',
  'Your role in this organisation does not permit this. Ask an owner or an admin of the organisation.':
    'Ваша роль в этой организации этого не позволяет. Обратитесь к владельцу или администратору организации.',
  'Decide whether the pair is the same or different.': 'Решите, одно и то же это или разные.',
  'Nobody can sign up here. Ask the operator of this service for an account.':
    'Зарегистрироваться здесь нельзя. Попросите аккаунт у оператора этого сервиса.',
  'No operator of this service has your address.': 'У операторов этого сервиса нет такого адреса.',
  'No organisation has set up single sign-on for this address.':
    'Для этого адреса ни одна организация не настроила единый вход.',
  'Single sign-on is not set up.': 'Единый вход не настроен.',
  "The answer of your company's identity provider is not valid. Begin again.":
    'Ответ провайдера входа вашей компании недействителен. Начните заново.',
  'The settings were changed in the meantime. Load them again.':
    'Настройки тем временем изменились. Загрузите их заново.',
  'This sign-in has expired, was finished already, or began in a different browser. Begin again.':
    'Этот вход устарел, уже завершён или начат в другом браузере. Начните заново.',
  'Your address does not belong to a verified domain of this organisation.':
    'Ваш адрес не из подтверждённого домена этой организации.',
  "Your company's identity provider does not answer. Try again later.":
    'Провайдер входа вашей компании не отвечает. Попробуйте позже.',
  "Your company's identity provider does not answer as OpenID Connect requires.":
    'Провайдер входа вашей компании отвечает не так, как требует OpenID Connect.',
  "Your company's identity provider does not say what your address is.":
    'Провайдер входа вашей компании не называет ваш адрес.',
  "Your company's identity provider has an address that this service may not reach.":
    'У провайдера входа вашей компании адрес, к которому этому сервису нельзя обращаться.',
  "Your company's identity provider has not verified your address.":
    'Провайдер входа вашей компании не подтвердил ваш адрес.',
  "Your company's identity provider has refused the sign-in.": 'Провайдер входа вашей компании отказал во входе.',
  'A different person of your company has this address here. Ask an owner of the organisation.':
    'Этот адрес здесь у другого человека из вашей компании. Обратитесь к владельцу организации.',
  "Your organisation requires you to sign in with your company's account.":
    'Ваша организация требует входить через аккаунт компании.',
  'The name servers of the domain do not answer. Try again later.':
    'Серверы имён этого домена не отвечают. Попробуйте позже.',
  'Too many sign-ins begin in your network. Wait a minute.':
    'Из вашей сети начинается слишком много входов. Подождите минуту.',
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
  'No mail can be sent now. Try again later.': 'Сейчас письмо отправить нельзя. Попробуйте позже.',
  'Pings and test events are not retried.': 'Пинги и проверочные события не повторяются.',
  'The URL is not confirmed yet, so only challenges are sent to it: confirm it first.':
    'URL ещё не подтверждён, на него отправляются только проверки: сначала подтвердите его.',
  'The cursor is not a next_cursor that a list of deliveries has returned.': 'Этот курсор не из списка доставок.',
  'The answer of the passkey cannot be read. Try again.': 'Ответ ключа входа не удалось прочитать. Попробуйте ещё раз.',
  'The answer of the passkey came too late, or twice, or from another browser. Try again.':
    'Ответ ключа входа пришёл слишком поздно, повторно или из другого браузера. Попробуйте ещё раз.',
  'The passkey was used on a page of another site. Open this service by its own address.':
    'Ключ входа использован на странице другого сайта. Откройте этот сервис по его адресу.',
  'The passkey is for another site. Use one that was made for this address.':
    'Этот ключ входа для другого сайта. Нужен тот, который создан для этого адреса.',
  'The passkey did not check that it is you. It has to ask for a PIN, a fingerprint or your face.':
    'Ключ входа не проверил, что это вы. Он должен попросить пин-код, отпечаток пальца или лицо.',
  'This kind of passkey cannot be used here.': 'Такие ключи входа здесь не поддерживаются.',
  'This passkey is not known here, or has been removed. Sign in with your password, or use another passkey.':
    'Этот ключ входа здесь неизвестен или удалён. Войдите с паролем или с другим ключом входа.',
  'The signature of the passkey is wrong.': 'Подпись ключа входа неверна.',
  'This passkey was refused, because it counts as if there were a copy of it. Remove it, and add it again.':
    'Ключ входа отклонён: по его счётчику похоже, что есть копия. Удалите его и добавьте снова.',
  'A new password was set after this passkey was last used. Sign in with the password, and then use the passkey.':
    'После последнего использования этого ключа входа задан новый пароль. Войдите с паролем, а затем используйте ключ.',
  'This passkey has been added already.': 'Этот ключ входа уже добавлен.',
  'The subscription was deleted while this request was processed.': 'Подписку удалили, пока выполнялся этот запрос.',
  'They have played in the same match, so they are two.': 'Они играли в одном матче, значит, это разные.',
  'Verify your address first: you can request a link on the overview of your account.':
    'Сначала подтвердите свой адрес: ссылку можно запросить в обзоре аккаунта.',
};

/** Things that a page does not find, in the genitive. */
const THINGS: Readonly<Record<string, string>> = {
  account: 'Аккаунта',
  correction: 'Исправления',
  delivery: 'Доставки',
  key: 'Ключа',
  match: 'Матча',
  member: 'Участника',
  'open invitation': 'Открытого приглашения',
  organisation: 'Организации',
  pair: 'Пары',
  passkey: 'Ключа входа',
  participant: 'Участника',
  session: 'Сеанса',
  tournament: 'Турнира',
  'webhook subscription': 'Подписки',
};

/** Sentences with a value in them. */
const MESSAGE_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [
    /^An organisation has at most (\d+) open invitations\. Revoke one first\.$/,
    'У организации не больше $1 открытых приглашений. Сначала отзовите одно.',
  ],
  [/^This invitation is for another address than (\S+)\.$/, 'Это приглашение не для адреса $1.'],
  [
    /^All accounts together may have at most (\d+) webhook subscriptions to (\S+)\.$/,
    'На $2 у всех аккаунтов вместе может быть не больше $1 подписок.',
  ],
  [
    /^An account has at most (\d+) keys\. Revoke one first\.$/,
    'У аккаунта не больше $1 ключей. Сначала отзовите один.',
  ],
  [
    /^An account has at most (\d+) webhook subscriptions\. Delete one first\.$/,
    'У аккаунта не больше $1 подписок. Сначала удалите одну.',
  ],
  [
    /^At most (\d+) replays of an account can be sent at the same time: wait until one has ended\.$/,
    'Одновременно могут идти не больше $1 повторов: подождите, пока один закончится.',
  ],
  [/^Correction (\d+) was withdrawn by (\S+) at (\S+)\.$/, 'Исправление $1 уже снято ($2, $3).'],
  [
    /^Match (\d+) has (\d+) corrections: withdraw some first\.$/,
    'У матча $1 уже $2 исправлений: сначала снимите лишние.',
  ],
  [
    /^Match (\d+) has corrections by hand: withdraw them first\.$/,
    'У матча $1 есть исправления вручную: сначала снимите их.',
  ],
  [/^Match (\d+) was deleted\.$/, 'Матч $1 удалён.'],
  [/^Match (\d+) was merged into match (\d+): .*$/, 'Матч $1 объединён с матчем $2: исправляйте матч $2.'],
  [
    /^No event is sent, because the stored settings cannot be used: .*$/,
    'События не отправляются: сохранённые настройки подписки непригодны.',
  ],
  [/^Pair (\d+) is already decided: .*$/, 'Пара $1 уже решена.'],
  [/^Pair (\d+) is already open\.$/, 'Пара $1 уже открыта.'],
  [
    /^Pair (\d+) is being reopened: try again in a minute\.$/,
    'Пара $1 как раз открывается снова: попробуйте через минуту.',
  ],
  [
    /^The delivery (\S+) was delivered; a replay sends its event again\.$/,
    'Доставка $1 удалась; повтор отправит её событие ещё раз.',
  ],
  [/^The key has already been rotated: key (\d+) replaces it\.$/, 'Ключ уже заменён: вместо него ключ $1.'],
  [/^The key is expired\.$/, 'Срок действия ключа истёк.'],
  [/^The key is revoked\.$/, 'Ключ отозван.'],
  [/^The stored settings of the subscription cannot be used: .*$/, 'Сохранённые настройки подписки непригодны.'],
  [
    /^The subscription is \w+, so no event is sent\. Enable it first\.$/,
    'Подписка ничего не отправляет. Сначала включите её.',
  ],
  [
    /^The subscription is declared in the cluster: change the WebhookSubscription (\S+) in the namespace (\S+)\.$/,
    'Подписка объявлена в кластере: измените ресурс $1 в пространстве имён $2.',
  ],
  [/^A different organisation has the domain (\S+)\.$/, 'Домен $1 принадлежит другой организации.'],
  [
    /^The domain (\S+) has no TXT record (\S+)\. A new record can take an hour to be seen\.$/,
    'У домена $1 нет записи TXT $2. Новая запись бывает видна только через час.',
  ],
  [/^There is no delivery (\S+) of subscription (\d+)\.$/, 'Доставки $1 у подписки $2 нет.'],
  [/^There is no correction (\d+) of match (\d+)\.$/, 'Исправления $1 у матча $2 нет.'],
  [
    /^You have (\d+) passkeys, which is the maximum: remove one first\.$/,
    'У вас уже $1 ключей входа, это предел: сначала удалите один.',
  ],
  [
    /^You have (\d+) favourites, which is the maximum: remove one first\.$/,
    'У вас уже $1 избранных, это предел: сначала уберите одно.',
  ],
];

/** Details of problems with one field. They follow the name of the field. */
const DETAILS: Readonly<Record<string, string>> = {
  'is not a member of this organisation': 'не участник этой организации',
  'The link is for another account, has expired or was used':
    'ссылка для другого аккаунта, устарела или уже использована',
  'does not answer': 'не отвечает',
  'does not answer, or its answer is too large or leads elsewhere':
    'не отвечает, или ответ слишком большой или ведёт в другое место',
  'has no password or no second factor': 'нет пароля или второго фактора',
  'is not a domain like example.com': 'это не домен вида example.com',
  'is not a public address, or names one that is not public': 'адрес не публичный или называет непубличный',
  'is not in the settings': 'в настройках этого нет',
  'is not an owner of this organisation': 'не владелец этой организации',
  'is not the issuer of an OpenID Connect provider with all the addresses that are needed':
    'это не издатель OpenID Connect со всеми нужными адресами',
  'may have letters, digits and _ : / . -': 'допустимы буквы, цифры и _ : / . -',
  'needs a verified domain': 'нужен подтверждённый домен',
  'are lines like: group = role': 'нужны строки вида: группа = роль',
  'are for publishable keys only': 'только для публичных ключей',
  'is for another email': 'для другого адреса',
  'a cancelled match has no score': 'у отменённого матча нет счёта',
  'a match has no score before its start': 'до начала матча счёта нет',
  'has control characters': 'есть управляющие символы',
  'has spaces, control characters or backslashes': 'есть пробелы, управляющие символы или обратная косая черта',
  'is not a URL': 'это не URL',
  'is not a cursor': 'это не курсор',
  'is not a time': 'это не время',
  'is not an id': 'это не id',
  'is not one of the choices': 'такого варианта нет',
  'is not the code that the app shows now': 'приложение сейчас показывает другой код',
  'is not the email of this account': 'у этого аккаунта другой адрес',
  'is not your password': 'это не ваш пароль',
  'is required': 'обязательное поле',
  'is required with a goal: the name of its scorer': 'выберите автора гола',
  'is required with a scorer: the id of the goal': 'выберите гол',
  'is required: it is shown in the audit log': 'обязательное поле: причина видна в журнале изменений',
  'name at least one value to correct: score, periods, status, kick-off, venue, or a goal and its scorer':
    'исправьте хотя бы одно значение: счёт, периоды, статус, начало, стадион или автора гола',
  'must not end with a dot': 'имя не должно оканчиваться точкой',
  'must use port 443': 'порт должен быть 443',
  'is required, unless a cursor is given': 'обязательно, если не задан курсор',
  'is required: only invited people can sign up here': 'обязательно: зарегистрироваться можно только по приглашению',
  'is too easy to guess; a few words that do not belong together are hard to guess':
    'слишком легко угадать; трудно угадать несколько не связанных между собой слов',
  'is unknown, expired or used': 'неизвестно, устарело или уже использовано',
  'is wrong or has already been used': 'неверен или уже использован',
  'is your current address': 'это ваш нынешний адрес',
  'may not be given together with a cursor': 'нельзя задать вместе с курсором',
  'is not a public address': 'адрес не публичный',
  'may not contain a user name or a password': 'не должно быть имени пользователя и пароля',
  'may not have a fragment': 'не должно быть части после #',
  'must be an https address': 'нужен адрес https',
  'must be in the future': 'должно быть в будущем',
  'must be the id of a goal': 'нужен id гола',
  'must be the periods with their scores, such as 1H 1:0, 2H 1:1': 'нужны периоды со счётом, например 1H 1:0',
  'must be two numbers, home side first, such as 2:1': 'нужны два числа, сначала хозяева, например 2:1',
  'must be a time with its zone (2026-05-10T15:00:00Z), or a day if the time is not known (2026-05-10)':
    'нужен день, а если известно, и время',
  'must be well-formed text without NUL': 'в тексте есть недопустимые символы',
  'must have a public name': 'нужно публичное имя узла',
  'must not be in the future': 'не должно быть в будущем',
};

/** Details with a value in them. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^(".*") is not an email address$/, '$1 — не адрес электронной почты'],
  [/^(.*) is neither an IP address nor a network like 10\.0\.0\.0\/8$/, '$1 — не IP-адрес и не сеть вида 10.0.0.0/8'],
  [/^(.*) is not an origin like https:\/\/example\.com$/, '$1 — не сайт вида https://example.com'],
  [
    /^a match of \S+ cannot end (\d+:\d+); .*$/,
    'в этом виде спорта матч не может закончиться $1; если сторона отказалась, выберите такой статус',
  ],
  [/^(\S+) gives addresses to everybody$/, '$1 даёт адреса всем подряд'],
  [/^has more than (\d+) characters$/, 'больше $1 символов'],
  [/^has more than (\d+) values$/, 'больше $1 значений'],
  [/^has the period (.*) twice$/, 'период $1 указан дважды'],
  [/^must be at most (\d+)$/, 'не больше $1'],
  [/^must be from (\d+) to (\d+)$/, 'должно быть от $1 до $2'],
  [/^several venues have this name, give the id of one: (.*)$/, 'так называются несколько стадионов, укажите id: $1'],
  [/^the match has no goal (\d+).*$/, 'в матче нет гола $1'],
  [/^the periods add up to (\d+:\d+), not (\d+:\d+)$/, 'сумма по периодам $1, а не $2'],
  [/^there is no account (.*)$/, 'аккаунта $1 нет'],
  [/^there is no venue (.*)$/, 'стадиона $1 нет'],
  [
    /^(.*) does not play for the side of the scorer of goal (\d+)$/,
    '$1 играет не за ту сторону, которая забила гол $2',
  ],
  [/^(.*) does not play in this match(?:; players of that side: (.*))?$/, '$1 не играет в этом матче'],
  [/^(.*) is not an id$/, '$1 — не id'],
  [/^must have (\d+) to (\d+) characters$/, 'должно быть от $1 до $2 символов'],
  [/^must have at most (\d+) characters.*$/, 'не больше $1 символов'],
];

/** A detail that names an earlier correction. */
const STANDING = /^(.*) \(correction (\d+) stands\)$/;

const FIELDS: Readonly<Record<string, string>> = {
  email: 'Электронная почта',
  password: 'Пароль',
  current: 'Текущий пароль',
  code: 'Код',
  invitation: 'Приглашение',
  token: 'Ссылка',
  name: 'Имя',
  member: 'Участник',
  member_id: 'Участник',
  role: 'Роль',
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
  conditions: 'Условия',
  headers: 'Заголовки',
  ordering: 'Порядок событий',
  max_per_second: 'Запросов в секунду',
  max_in_flight: 'Одновременных запросов',
  delay: 'Задержка',
  leagues: 'Лиги',
  score: 'Счёт',
  periods: 'Периоды',
  status: 'Статус',
  status_detail: 'Статус',
  kick_off: 'Начало',
  period_scores: 'Периоды',
  correction: 'Исправление',
  description: 'Описание',
  venue: 'Стадион',
  goal: 'Гол',
  scorer: 'Автор гола',
  reason: 'Причина',
};

/** @returns a Russian sentence for a problem's message; null if there is none */
export function russianMessage(message: string): string | null {
  if (MESSAGES[message] !== undefined) return MESSAGES[message];
  const pattern = MESSAGE_PATTERNS.find(([english]) => english.test(message));
  if (pattern !== undefined) return message.replace(...pattern);
  const [, thing = '', id] = /^There is no ([a-z ]+) (\S+)\.$/.exec(message) ?? [];
  return THINGS[thing] === undefined ? null : `${THINGS[thing]} ${id} нет.`;
}

/** @returns a Russian sentence for a problem with a field; null if there is none */
export function russianDetail(parameter: string, given: string): string | null {
  const [, detail = given, standing] = STANDING.exec(given) ?? [];
  const pattern = PATTERNS.find(([english]) => english.test(detail));
  const text = DETAILS[detail] ?? (pattern && detail.replace(...pattern));
  const field = FIELDS[parameter.replace(/^\w+_(password|code)$/, '$1')];
  if (text === undefined || field === undefined) return null;
  return `${field}: ${text}${standing === undefined ? '' : ` (действует исправление ${standing})`}.`;
}
