/** Texts for the frame of the account pages, and for the overview, plan and audit log. They are in English only. */
import { type Html, html } from '../html.ts';

export const ACCOUNT = {
  /** Names the navigation. */
  area: 'Account',
  signOut: 'Sign out',
  own: 'Your account',
  /** The parameter `url` in problems with forms. */
  url: 'URL',

  overview: 'Overview',
  done: {
    verified: 'Your address is verified.',
    sent: 'A link is on its way to your address, unless several were sent to it within the last hour.',
  },
  operator: 'You are an operator of this service:',
  operatorPages: 'accounts, sessions, plans, approval and audit log',
  email: 'Account',
  channels: 'Streams and webhooks',
  withChannels: 'included, {connections} connections',
  withoutChannels: 'not included in this plan',
  keys: 'Keys',
  keysInUse: '{count} in use',
  since: 'Since',
  use: 'Use of your plan',
  usage: 'By day, endpoint and key',
  goOn: 'Where to go from here',
  guides: (docs: string): Html => html`<a href="${docs}/guides">Guides</a>: quick start, streaming, webhooks, limits`,
  reference: (docs: string): Html => html`<a href="${docs}">The reference of the API</a>, with examples of every reply`,
  leagues: (docs: string): Html => html`<a href="${docs}/leagues.html">All leagues</a>, and how much is known of each`,

  plan: 'Plan',
  changePlan: (operator: Html | false): Html => html`To change your plan,
ask the operator of this service${operator && html`: ${operator}`}. It takes effect within seconds, for all keys.`,
  plans: {
    title: 'Plans',
    columns: [
      'Plan',
      'A month',
      'Limits of all secret keys together, and of all publishable keys',
      'Streams',
      'Webhooks',
    ],
    own: 'yours',
    included: 'yes',
    notIncluded: 'no',
  },

  audit: {
    title: 'Audit log',
    columns: ['Time (UTC)', 'What', 'Of', 'By', 'From', 'Details'],
    /** Comes after the column What in the log of all accounts. */
    account: 'Account',
    byOperator: '(operator)',
    older: 'Older entries',
  },
};
