/** Texts about passkeys: the security page, the buttons of the pages, and the messages of the script (passkey.js). */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Passkeys',
  intro:
    'A passkey signs you in without the password: your device asks for your fingerprint, your face or a PIN. It also takes the place of a code after the password. Adding or removing one ends all other sessions.',
  none: 'None yet.',
  added: 'Added',
  lastUsed: 'last used',
  never: 'not used yet',
  otherSite: 'for {site} only',
  rename: 'Rename',
  renameOne: 'Rename {name}',
  newName: 'New name',
  remove: 'Remove',
  removeOne: 'Remove {name}',
  removeQuestion: 'Remove {name}? It can no longer sign in.',
  removeLast:
    'It is your only second factor: from then on, signing in takes the password alone, and the recovery codes end.',
  name: 'Name',
  nameHint: 'Such as the device that keeps it.',
  add: 'Add a passkey',
  count: '{count} of {most}.',
  full: 'You have as many passkeys as you can have. Remove one first.',
  done: {
    'passkey-added': 'The passkey is added.',
    'passkey-renamed': 'The passkey is renamed.',
    'passkey-removed': 'The passkey is removed.',
  },
  ready: 'Confirmed. Your browser now makes the passkey.',

  signIn: 'Sign in with a passkey',
  use: 'Use a passkey',
  needsScript: 'Passkeys need JavaScript.',
  failed: 'No passkey was used. Try again.',
  exists: 'This device has a passkey for your account already.',
  unsupported: 'This browser cannot use passkeys at this address.',
  unavailable: 'The service did not answer. Try again later.',
};

const ru: typeof en = {
  title: 'Ключи входа',
  intro:
    'С ключом входа можно войти без пароля: устройство попросит отпечаток пальца, лицо или пин-код. Он же заменяет код после пароля. Добавление или удаление ключа завершает все остальные сеансы.',
  none: 'Пока нет.',
  added: 'Добавлен',
  lastUsed: 'последний вход',
  never: 'ещё не использован',
  otherSite: 'только для {site}',
  rename: 'Переименовать',
  renameOne: 'Переименовать {name}',
  newName: 'Новое имя',
  remove: 'Удалить',
  removeOne: 'Удалить {name}',
  removeQuestion: 'Удалить {name}? Войти с ним больше не получится.',
  removeLast:
    'Это ваш единственный второй фактор: после удаления для входа хватит пароля, а коды восстановления перестанут действовать.',
  name: 'Имя',
  nameHint: 'Например, устройство, на котором он хранится.',
  add: 'Добавить ключ входа',
  count: '{count} из {most}.',
  full: 'У вас столько ключей входа, сколько возможно. Сначала удалите один.',
  done: {
    'passkey-added': 'Ключ входа добавлен.',
    'passkey-renamed': 'Ключ входа переименован.',
    'passkey-removed': 'Ключ входа удалён.',
  },
  ready: 'Подтверждено. Теперь браузер создаст ключ входа.',

  signIn: 'Войти с ключом входа',
  use: 'Использовать ключ входа',
  needsScript: 'Для ключей входа нужен включённый в браузере JavaScript.',
  failed: 'Ключ входа не использован. Попробуйте ещё раз.',
  exists: 'На этом устройстве уже есть ключ входа для вашего аккаунта.',
  unsupported: 'По этому адресу браузер не может использовать ключи входа.',
  unavailable: 'Сервис не ответил. Попробуйте позже.',
};

export const PASSKEYS: Record<Lang, typeof en> = { en, ru };
