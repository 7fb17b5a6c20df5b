/** Texts for the pages for signing up, signing in and setting a password. */
import type { Lang } from '../../http/index.ts';

/** Label of the box that also revokes the keys, pauses the webhooks and removes single sign-on. Not all of them may be there. */
function alsoRevokeEn(keys: number, webhooks: number, hasSingleSignOn: boolean): string {
  const parts = [
    keys > 0 && `revoke ${keys === 1 ? 'the API key' : `all ${keys} API keys`}`,
    webhooks > 0 && `pause ${webhooks === 1 ? 'the webhook' : `all ${webhooks} webhooks`}`,
    hasSingleSignOn && 'remove single sign-on',
  ];
  return `Also ${parts.filter(Boolean).join(' and ')} of the account`;
}

/** The same in Russian. */
function alsoRevokeRu(keys: number, webhooks: number, hasSingleSignOn: boolean): string {
  const parts = [
    keys > 0 && `отозвать ${keys === 1 ? 'ключ API' : `все ключи API (${keys})`}`,
    webhooks > 0 && `приостановить ${webhooks === 1 ? 'вебхук' : `все вебхуки (${webhooks})`}`,
    hasSingleSignOn && 'убрать единый вход',
  ];
  return `Также ${parts.filter(Boolean).join(' и ')} аккаунта`;
}

const en = {
  title: 'Sign in',
  membersOnly: 'The page that you asked for is for members of this service. Sign in to see it.',
  email: 'Email',
  password: 'Password',
  forgotten: 'Forgotten your password?',
  done: {
    'signed-out': 'You have signed out.',
    'signed-out-everywhere': 'You have signed out everywhere.',
    deleted: 'Your account is deleted.',
    password: 'Your new password is set. Sign in with it.',
  },

  secondFactor: 'Second factor',
  code: 'Code',
  codeHint: 'The six digits that your app shows, or one of your recovery codes.',
  recoveryCodeHint: 'One of your recovery codes.',
  continue: 'Continue',
  startAgain: 'Start again',

  create: 'Create an account',
  closed: 'Nobody can sign up here. Ask the operator of this service for an account.',
  invitation: 'Invitation',
  submit: 'Create the account',
  keyAtOnce: 'You get an API key at once, on the plan Trial.',
  afterApproval: ' It works as soon as an operator of this service has approved the account.',
  insteadIfMember: ' instead if you have an account.',
  passwordHint: 'At least 10 characters. A few words in a row are easy to remember and hard to guess.',
  ready: 'Your account is ready',
  waits: 'Your account waits for approval',
  waitsNote: 'As soon as an operator of this service has approved it, the key works and you can sign in.',

  setPassword: 'Set a new password',
  sendLink: 'Send me a link',
  noMail: 'This service sends no mail. Ask its operator for a link to set a new password.',
  linkSent: 'If there is an account with this email, a link is on its way to it.',
  linkExpired: 'This link is unknown, has expired or was used. Ask for a new one.',
  newPassword: 'New password',
  endsSessions: 'All sessions end, and so do links and the address of the calendar.',
  alsoRevoke: alsoRevokeEn,
  submitPassword: 'Set the password',
  unverified: 'Nobody has verified this address before, so somebody else may have made the account and know its keys.',
};

const ru: typeof en = {
  title: 'Вход',
  membersOnly: 'Страница, которую вы открыли, доступна участникам этого сервиса. Войдите, чтобы её увидеть.',
  email: 'Электронная почта',
  password: 'Пароль',
  forgotten: 'Забыли пароль?',
  done: {
    'signed-out': 'Вы вышли.',
    'signed-out-everywhere': 'Вы вышли на всех устройствах.',
    deleted: 'Ваш аккаунт удалён.',
    password: 'Новый пароль задан. Войдите с ним.',
  },

  secondFactor: 'Второй фактор',
  code: 'Код',
  codeHint: 'Шесть цифр из приложения или один из кодов восстановления.',
  recoveryCodeHint: 'Один из кодов восстановления.',
  continue: 'Продолжить',
  startAgain: 'Начать сначала',

  create: 'Регистрация',
  closed: 'Зарегистрироваться здесь нельзя. Попросите аккаунт у оператора этого сервиса.',
  invitation: 'Приглашение',
  submit: 'Зарегистрироваться',
  keyAtOnce: 'Вы сразу получите ключ API на пробном тарифе.',
  afterApproval: ' Он заработает, как только оператор этого сервиса одобрит аккаунт.',
  insteadIfMember: ', если аккаунт у вас уже есть.',
  passwordHint: 'Не меньше 10 символов. Несколько слов подряд легко запомнить и трудно угадать.',
  ready: 'Аккаунт готов',
  waits: 'Аккаунт ждёт одобрения',
  waitsNote: 'Как только оператор этого сервиса одобрит его, ключ заработает и вы сможете войти.',

  setPassword: 'Новый пароль',
  sendLink: 'Прислать ссылку',
  noMail: 'Этот сервис не отправляет почту. Попросите у его оператора ссылку, чтобы задать новый пароль.',
  linkSent: 'Если аккаунт с этим адресом есть, на него придёт ссылка.',
  linkExpired: 'Эта ссылка неизвестна, устарела или уже использована. Запросите новую.',
  newPassword: 'Новый пароль',
  endsSessions: 'Все сеансы завершатся, ссылки и адрес календаря перестанут действовать.',
  alsoRevoke: alsoRevokeRu,
  submitPassword: 'Задать пароль',
  unverified:
    'Этот адрес раньше никто не подтверждал, поэтому аккаунт мог создать кто-то другой, и он может знать его ключи.',
};

export const SIGN_IN: Record<Lang, typeof en> = { en, ru };
