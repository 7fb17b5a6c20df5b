/** Texts of the form that asks a signed-in member for the password, a code or a passkey again. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Confirm that it is you',
  account: 'This change needs a sign-in within the last 10 minutes. What you entered is kept.',
  operator: 'The operator pages ask for a code or a passkey every 12 hours.',
  password: 'Your password',
  code: 'Code',
  codeInstead: 'Or a code',
  codeHint: 'The six digits that your app shows, or one of your recovery codes.',
  recoveryHint: 'One of your recovery codes.',
  continue: 'Continue',
  nothing: 'Your account has neither a password nor a second factor. Sign out, and sign in again.',
};

const ru: typeof en = {
  title: 'Подтвердите, что это вы',
  account: 'Для этого изменения нужно, чтобы вы вошли не раньше 10 минут назад. Всё, что вы ввели, сохранится.',
  operator: 'На страницах операторов код или ключ входа запрашивается раз в 12 часов.',
  password: 'Ваш пароль',
  code: 'Код',
  codeInstead: 'Или код',
  codeHint: 'Шесть цифр из приложения или один из кодов восстановления.',
  recoveryHint: 'Один из кодов восстановления.',
  continue: 'Продолжить',
  nothing: 'У аккаунта нет ни пароля, ни второго фактора. Выйдите и войдите снова.',
};

export const PROVE_AGAIN: Record<Lang, typeof en> = { en, ru };
