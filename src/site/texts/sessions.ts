/** Texts for lists of sessions. Like all account pages, they are in English only. */
export const SESSIONS = {
  title: 'Sessions',
  none: 'Nobody is signed in.',
  account: 'Account',
  columns: ['Device', 'Address', 'Since (UTC)', 'Last seen (UTC)'],
  current: '(this one)',
  end: 'End',
  endOne: 'End the session of {device}',
  more: 'These are the {count} most recently used.',

  endNote:
    'Both buttons also end the links that were sent to you, and the address of your calendar. Keys and webhooks stay.',
  endOthers: 'End all others',
  endAll: 'Sign out everywhere',
  done: {
    'session-ended': 'The session has ended.',
    'others-ended': 'All other sessions have ended.',
  },
};
