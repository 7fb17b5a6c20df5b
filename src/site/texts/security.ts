/** Texts for the security page and the pages of its forms. */
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../html.ts';

const en = {
  title: 'Security',
  back: 'Back',
  done: {
    password: 'Your password is changed. All other sessions have ended, and so has the address of your calendar.',
    removed: 'The second factor is off.',
    moved: 'Your account has its new address.',
    asked: 'A link is on its way to the new address. Open it to move your account there.',
    operator: 'The pages of operators need a second factor. Add a passkey or turn codes on here.',
  },

  password: 'Password',
  noPassword: 'You have no password: you sign in with the account of your company, or with a passkey.',
  currentPassword: 'Current password',
  newPassword: 'New password',
  passwordHint: 'At least 10 characters. Changing it ends all other sessions, and the address of your calendar.',
  changePassword: 'Change the password',

  email: 'Email',
  newEmail: 'New address',
  newEmailHint: 'A link is sent to it. Your account moves there when you open the link.',
  changeEmail: 'Change the address',

  secondFactor: 'Second factor',
  isOn: 'On: signing in takes your password and a code, or a passkey.',
  isPasskey: 'On: signing in takes your password and a passkey. An app on your phone can show codes as well.',
  isOff: 'Off. With it, signing in takes your password and a code from an app on your phone.',
  renewCodes: 'New recovery codes',
  code: 'Code',
  codeHint: 'From your app, or a recovery code.',
  turnOff: 'Turn it off',
  turnOn: 'Turn it on',
  turnOnCodes: 'Set up codes from an app',
  scan: 'Scan this with an app for one-time codes, or type the secret into it.',
  picture: 'The secret as a QR code',
  shownCode: 'The code that the app shows',
  recoveryCodes: 'Recovery codes',
  recoveryCodesNote: 'If you lose your phone, each of them works once in place of a code. They are not shown again.',
  stored: 'I have stored them',

  delete: 'Delete the account',
  deleteNote: 'Ends all keys, streams and webhooks within seconds, and removes their logs. It cannot be undone.',
  deleteQuestion: 'Delete the account with everything in it, for good?',
  deleteNow: 'Yes, delete it',

  address: {
    title: 'Your address',
    verify: 'Verify your address',
    unverified: (email: string): Html =>
      html`The address ${email} is not verified. Until you open the link that is sent to it, your account has a tenth of the
plan's requests a day.`,
    sendAgain: 'Send the link again',
    linkExpired: 'This link is for another account, has expired or was used. Ask for a new one.',
    isYours: 'Is {email} yours?',
    moves: 'Your account moves from {before} to {after}.',
    confirm: 'Yes',
  },
};

const ru: typeof en = {
  title: 'Безопасность',
  back: 'Назад',
  done: {
    password: 'Пароль изменён. Все остальные сеансы завершены, адрес вашего календаря отозван.',
    removed: 'Второй фактор выключен.',
    moved: 'У аккаунта новый адрес.',
    asked: 'На новый адрес отправлена ссылка. Откройте её, чтобы перевести аккаунт на этот адрес.',
    operator: 'Страницы операторов доступны только со вторым фактором. Добавьте ключ входа или включите коды.',
  },

  password: 'Пароль',
  noPassword: 'У вас нет пароля: вы входите через учётную запись компании или по ключу входа.',
  currentPassword: 'Текущий пароль',
  newPassword: 'Новый пароль',
  passwordHint: 'Не меньше 10 символов. Смена пароля завершает все остальные сеансы и отзывает адрес календаря.',
  changePassword: 'Сменить пароль',

  email: 'Электронная почта',
  newEmail: 'Новый адрес',
  newEmailHint: 'На него придёт ссылка. Аккаунт перейдёт на этот адрес, когда вы её откроете.',
  changeEmail: 'Сменить адрес',

  secondFactor: 'Второй фактор',
  isOn: 'Включён: для входа нужны пароль и код или ключ входа.',
  isPasskey: 'Включён: для входа нужны пароль и ключ входа. Коды может показывать и приложение в телефоне.',
  isOff: 'Выключен. С ним для входа нужны пароль и код из приложения в телефоне.',
  renewCodes: 'Новые коды восстановления',
  code: 'Код',
  codeHint: 'Из приложения, или код восстановления.',
  turnOff: 'Выключить',
  turnOn: 'Включить',
  turnOnCodes: 'Настроить коды из приложения',
  scan: 'Отсканируйте это приложением для одноразовых кодов или введите в него секрет.',
  picture: 'Секрет в виде QR-кода',
  shownCode: 'Код, который показывает приложение',
  recoveryCodes: 'Коды восстановления',
  recoveryCodesNote:
    'Если вы потеряете телефон, каждый из них один раз заменит код из приложения. Больше они показаны не будут.',
  stored: 'Коды сохранены',

  delete: 'Удалить аккаунт',
  deleteNote:
    'За несколько секунд отзывает все ключи, закрывает потоки и вебхуки и удаляет их журналы. Отменить это нельзя.',
  deleteQuestion: 'Удалить аккаунт навсегда, со всем, что в нём есть?',
  deleteNow: 'Да, удалить',

  address: {
    title: 'Ваш адрес',
    verify: 'Подтвердите свой адрес',
    unverified: (email: string): Html =>
      html`Адрес ${email} не подтверждён. Пока вы не откроете присланную на него ссылку, аккаунту доступна десятая часть
запросов тарифа в сутки.`,
    sendAgain: 'Отправить ссылку ещё раз',
    linkExpired: 'Эта ссылка для другого аккаунта, устарела или уже использована. Запросите новую.',
    isYours: '{email} — ваш адрес?',
    moves: 'Аккаунт переходит с {before} на {after}.',
    confirm: 'Да',
  },
};

export const SECURITY: Record<Lang, typeof en> = { en, ru };
