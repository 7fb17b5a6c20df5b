/** Texts for the pages for signing up, signing in and setting a password. Like all account pages, they are in English only. */

/** Label of the box that also revokes the keys and pauses the webhooks. One of the counts may be 0. */
function alsoRevoke(keys: number, webhooks: number): string {
  const parts = [
    keys > 0 && `revoke ${keys === 1 ? 'the API key' : `all ${keys} API keys`}`,
    webhooks > 0 && `pause ${webhooks === 1 ? 'the webhook' : `all ${webhooks} webhooks`}`,
  ];
  return `Also ${parts.filter(Boolean).join(' and ')} of the account`;
}

export const SIGN_IN = {
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
  alsoRevoke,
  submitPassword: 'Set the password',
  unverified: 'Nobody has verified this address before, so somebody else may have made the account and know its keys.',
};
