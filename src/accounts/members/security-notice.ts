/** Mails that notify a member about a change that someone else may have made. */
import type { Mail } from '../mail.ts';

const TEXTS = {
  password_changed: {
    subject: 'Your password has been changed',
    text: 'The password of your Touchline account was changed, and all other sessions have ended.',
  },
  password_reset: {
    subject: 'A new password has been set',
    text: 'A new password was set for your Touchline account by a link, and all sessions have ended.',
  },
  second_factor_on: {
    subject: 'The second factor is on',
    text: 'Signing in to your Touchline account now requires a code in addition to the password. All other sessions have ended.',
  },
  second_factor_off: {
    subject: 'The second factor is off',
    text: 'The second factor of your Touchline account was removed: signing in requires only the password.',
  },
  passkey_added: {
    subject: 'A passkey was added',
    text: 'A passkey was added to your Touchline account. It can sign in without the password. All other sessions have ended.',
  },
  passkey_removed: {
    subject: 'A passkey was removed',
    text: 'A passkey of your Touchline account was removed, and can no longer sign in. All other sessions have ended.',
  },
  recovery_codes_renewed: {
    subject: 'New recovery codes',
    text: 'New recovery codes were created for your Touchline account. The previous ones no longer work.',
  },
  email_change_requested: {
    subject: 'Another address for your account',
    text: 'Somebody who knows your password has requested to move your Touchline account to another address. The account keeps this address until the link sent to the other one is used.',
  },
  email_changed: {
    subject: 'Your account has another address',
    text: 'Your Touchline account was moved to another address. This one can no longer sign in.',
  },
  single_sign_on_removed: {
    subject: 'Single sign-on was removed',
    text: 'A new password was set by a link, and all keys of your organisation were revoked. Its single sign-on was removed as well, because somebody else may have set it up: nobody can sign in through its identity provider. The audit log has the former issuer, client id and domains. If they are yours, set it up again at /account/single-sign-on.',
  },
  identity_linked: {
    subject: 'Your company can sign you in',
    text: 'Somebody has signed in to your Touchline account at the identity provider of your company, which from now on can sign you in. An account whose address nobody had verified has lost its password, its keys and its sessions.',
  },
} as const;

export type NoticeName = keyof typeof TEXTS;

/** Sends nothing without a mail server. @param address client address from which the change came */
export function sendNotice(mail: Mail, to: string, name: NoticeName, address: string): void {
  const { subject, text } = TEXTS[name];
  mail.send({
    to,
    subject,
    text: `${text}

The request came from the address ${address}. If it was not you, set a new password at once: ${mail.link('/account/reset')}
`,
  });
}
