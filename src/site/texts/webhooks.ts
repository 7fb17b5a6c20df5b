/** Texts of the pages of webhooks: they are in English only, as all pages of accounts are. */
import { type Html, html } from '../html.ts';

export const WEBHOOKS = {
  title: 'Webhooks',
  /** A subscription without a description. */
  unnamed: 'Webhook {id}',
  all: 'All webhooks',
  none: 'There are no subscriptions yet. One sends each event that passes its filters to a URL of yours.',
  columns: ['Subscription', 'State', 'Managed', 'Behind', 'Last failure'],
  managedHere: 'here',
  managedElsewhere: 'by the cluster',
  plans: 'The plans, and how to change yours',
  create: 'Create a subscription',
  submit: 'Create the subscription',
  created: 'Subscription created',
  back: 'Back to the subscription',
  save: 'Save',
  change: 'Change {title}',
  changeSettings: 'Change the settings',
  log: 'Delivery log',
  done: {
    changed: 'Saved.',
    paused: 'The subscription is paused.',
    enabled: 'The subscription is enabled.',
    replayed: 'Events are sent again.',
    deleted: 'The subscription is deleted.',
  },

  facts: {
    url: 'URL',
    managed: 'Managed',
    state: 'State',
    fault: 'Fault',
    eventTypes: 'Event types',
    sports: 'Sports',
    leagues: 'Leagues',
    matches: 'Matches',
    participants: 'Teams or players',
    lastSuccess: 'Last success',
    lastFailure: 'Last failure',
    pending: 'Waiting for a retry',
    position: 'Position',
    gap: 'Gap',
  },
  allChosen: 'all',
  noSuccess: 'none yet',
  noFailure: 'none',
  repair: '{fault}. Change it, or rotate its secret.',
  position: 'cursor {position}, {lag} behind the newest event',
  suspended: 'suspended',
  planWithout: 'suspended: the plan {plan} has no webhooks',
  managed: ({ name, namespace }: { name: string; namespace: string }): Html =>
    html`by the cluster: WebhookSubscription <code>${name}</code> in the namespace <code>${namespace}</code>.
Its settings and its secret are changed there.`,

  secret: 'The secret',
  secretNote: 'Copy it now: your receiver verifies requests with it, and it cannot be shown again.',
  secretBefore: 'This was done before, and the secret cannot be shown again.',
  secretRotated: 'Secret rotated',
  goOn: 'Go on',

  status: 'Status {status}',
  duration: ', after {ms} ms.',
  reply: 'Reply',
  test: 'Test',
  testNote: html`Sends a signed <code>webhook.test</code> now. It counts neither for health nor as an event.`,
  sendTest: 'Send a test event',
  tested: { done: 'The test event was delivered', failed: 'The test event was not delivered' },
  confirm: 'Confirm the URL',
  confirmNote: html`Sends a signed <code>webhook.challenge</code> now. Verify it as any event, and answer with the text of <code>data.challenge</code>:
from then on events are sent.`,
  sendChallenge: 'Send a challenge',
  confirmed: { done: 'The URL is confirmed', failed: 'The URL is not confirmed' },

  since: 'Events since (UTC)',
  sinceHint: 'Within the last 7 days.',
  cursor: 'Or events after the cursor',
  enable: 'Enable',
  continues: 'It continues',
  fromNew: 'with new events',
  fromPosition: 'where it was disabled: nothing is left out that is still stored',
  fromGiven: 'from the time or the cursor below',
  fromPause: 'It continues where it was paused.',
  replay: 'Replay',
  replayNote: 'Sends events again, with the same ids.',

  rotate: 'Rotate the secret',
  rotateNote: 'Makes a new secret. For {hours} hours the old one signs too.',
  rotateQuestion:
    'Rotate it now? The new secret is shown once. After {hours} hours a receiver that knows only the old one refuses all events.',
  rotateNow: 'Yes, rotate the secret',
  pauseOrDelete: 'Pause or delete',
  pause: 'Pause',
  delete: 'Delete the subscription',
  deleteQuestion:
    'Delete it now? No event is sent any more, deliveries that wait are dropped, and its log cannot be read any more. It cannot be undone.',
  deleteNow: 'Yes, delete the subscription',

  verify: 'Verify what you receive',
  verifyNote: (
    guide: string,
  ): Html => html`Each request is signed with the secret of its subscription: <code>X-Service-Signature</code> is the HMAC-SHA256 of
<code>X-Service-Timestamp</code>, a dot and the body. Answer 2xx within 8 seconds; anything else is retried up to 6 times.
An event may come more than once, with the same <code>webhook-id</code>. More in <a href="${guide}">the guide</a>.`,

  form: {
    url: 'URL',
    urlHint: 'Where events are sent: https, and reachable from the internet.',
    description: 'Description',
    eventTypes: 'Event types',
    sports: 'Sports',
    leagues: 'Leagues',
    chosen: '{count} chosen',
    noLeague: 'No other league was found.',
    searchLeagues: 'Search for leagues',
    search: 'Search',
    matches: 'Only these matches',
    matchesHint: 'Ids, separated by spaces. Empty: all matches.',
    participants: 'Only these teams or players',
    participantsHint:
      'Ids of the home or the away side, separated by spaces. Empty: all. An event has to pass all filters that are set.',
  },
};
