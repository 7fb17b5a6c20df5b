/** Texts for the API key pages. Like all account pages, these are in English only. */
import { type Html, html } from '../html.ts';

export const KEYS = {
  title: 'Keys',
  /** Name for a key that has none. */
  unnamed: 'Key {id}',
  all: 'All keys',
  none: 'There are no keys yet.',
  columns: ['Key', 'Kind', 'State', 'Created (UTC)', 'Last used (UTC)'],
  kinds: { sk: 'secret', pk: 'publishable' },
  until: (end: Html) => html`until ${end}`,
  never: 'never',
  from: 'from {address}',

  create: 'Create a key',
  name: 'Name',
  nameHint: 'What uses it: a server, a site, a person.',
  kind: 'Kind',
  choices: { sk: 'Secret, for servers', pk: 'Publishable, for browsers: streams, images and single matches alone' },
  addresses: 'Only from these addresses',
  addressesHint: 'Addresses and networks as 192.0.2.7 or 10.0.0.0/8, separated by spaces. Empty: from anywhere.',
  origins: 'Only on these sites (publishable keys)',
  originsHint: 'Origins as https://example.com, separated by spaces. Empty: on any site.',
  end: 'Valid until (UTC)',
  endHint: 'Empty: until it is revoked.',
  submit: 'Create the key',

  created: 'Key created',
  rotated: 'Key rotated',
  createdBefore: 'This key was created before and cannot be shown again.',
  new: 'Your key',
  copy: 'Copy it now: it is stored as a hash and cannot be shown again.',
  firstRequest: 'Your first request',
  goOn: 'Go on',

  key: 'Key',
  state: 'State',
  validUntil: (end: Html) => html`, valid until ${end}`,
  createdAt: 'Created',
  lastUsed: 'Last used',
  replacedBy: 'Replaced by',
  replacement: 'key {id}',
  save: 'Save',
  changed: 'Saved.',

  rotation: 'Rotate',
  rotationNote:
    'Makes a new key with the same settings. For some time both are valid, so that clients can be moved one by one.',
  overlap: 'The old key stays valid for',
  /** Texts by number of hours. */
  overlaps: { '0': 'no time', '1': 'an hour', '24': 'a day', '168': 'a week' },
  rotate: 'Rotate the key',

  revocation: 'Revoke',
  revocationNote: 'Within five seconds no request is answered with this key, and its streams end. It cannot be undone.',
  revoke: 'Revoke the key',
  revoked: 'The key is revoked.',
};
