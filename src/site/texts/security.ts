/** Texts for the security page and the pages of its forms. Like all account pages, they are in English only. */
import { type Html, html } from '../html.ts';

export const SECURITY = {
  title: 'Security',
  yourPassword: 'Your password',
  back: 'Back',
  done: {
    password: 'Your password is changed. All other sessions have ended, and so has the address of your calendar.',
    removed: 'The second factor is off.',
    moved: 'Your account has its new address.',
    asked: 'A link is on its way to the new address. Open it to move your account there.',
    operator: 'The pages of operators need a second factor. Turn it on here.',
  },

  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  passwordHint: 'At least 10 characters. Changing it ends all other sessions, and the address of your calendar.',
  changePassword: 'Change the password',

  email: 'Email',
  newEmail: 'New address',
  newEmailHint: 'A link is sent to it. Your account moves there when you open the link.',
  changeEmail: 'Change the address',

  secondFactor: 'Second factor',
  isOn: 'On: signing in takes your password and a code.',
  isOff: 'Off. With it, signing in takes your password and a code from an app on your phone.',
  renewCodes: 'New recovery codes',
  code: 'Code',
  codeHint: 'From your app, or a recovery code.',
  turnOff: 'Turn it off',
  turnOn: 'Turn it on',
  scan: 'Scan this with an app for one-time codes, or type the secret into it.',
  picture: 'The secret as a QR code',
  shownCode: 'The code that the app shows',
  recoveryCodes: 'Recovery codes',
  recoveryCodesNote: 'If you lose your phone, each of them works once in place of a code. They are not shown again.',
  stored: 'I have stored them',

  delete: 'Delete the account',
  deleteNote: 'Ends all keys, streams and webhooks within seconds, and removes their logs. It cannot be undone.',

  address: {
    title: 'Your address',
    verify: 'Verify your address',
    linkSent: (email: string): Html =>
      html`A link was sent to ${email}. Until you open it, your account has a tenth of the plan's requests a day.`,
    sendAgain: 'Send the link again',
    linkExpired: 'This link is for another account, has expired or was used. Ask for a new one.',
    isYours: 'Is {email} yours?',
    moves: 'Your account moves from {before} to {after}.',
    confirm: 'Yes',
  },
};
