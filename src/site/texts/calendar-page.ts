/** Texts for the page of a member's own calendar. Like all account pages, it is in English only. */
import { type Html, html } from '../html.ts';

export const CALENDAR_PAGE = {
  title: 'Calendar',
  intro: `A calendar program that subscribes to this calendar shows the matches of your favourite teams and tournaments, their new
times if they are moved, and their results.`,
  done: {
    added: 'Added to your favourites.',
    removed: 'Removed from your favourites.',
    revoked: 'The address is revoked: calendar programs that use it get an error.',
    none: 'There was no address.',
  },

  favourites: 'Favourites',
  none: 'None yet: search for a team or a tournament below.',
  columns: ['Name', 'Kind', 'Sport', 'Id'],
  alone: 'Alone',
  subscribe: 'Subscribe',
  subscribeTo: 'Subscribe to {name} alone',
  file: 'File',
  fileOf: 'File of {name} alone',
  count: '{count} of {most}.',
  aloneNote: html`This site is not public: to subscribe to one alone, add the <code>&amp;token=…</code> of your own address to the
end of its address.`,
  remove: 'Remove',
  removeOne: 'Remove {name}',

  addFavourite: 'Add a favourite',
  query: 'Team or tournament',
  search: 'Search',
  found: 'Found',
  noneFound: 'No team or tournament was found for “{query}”.',
  add: 'Add',
  addOne: 'Add {name}',

  address: 'Address',
  noAddress: 'Your calendar has no address yet. Whoever knows the address can read the calendar.',
  hasAddress: (since: Html): Html =>
    html`Your calendar has had an address since ${since} (UTC). It was shown once. A new one replaces it:
calendar programs that use the old one then get an error.`,
  create: 'Create the address',
  replace: 'Replace the address',
  replaceQuestion:
    'Replace it now? Calendar programs that use the old address get an error, and the new one is shown once.',
  replaceNow: 'Yes, replace the address',
  revoke: 'Revoke the address',
  revokeQuestion: 'Revoke it now? Calendar programs that use it get an error. It cannot be undone.',
  revokeNow: 'Yes, revoke the address',

  newAddress: {
    title: 'The address of your calendar',
    note: 'Whoever knows this address can read your calendar. It is not shown again.',
    subscribe: 'Subscribe in your calendar program',
    parameters: (
      token: string,
    ): Html => html`With <code>&amp;lang=ru</code> at the end of the address the calendar is in Russian.
If the site is not public, <code>&amp;token=${token}</code> at the end of the address of a team's or a tournament's calendar opens that
calendar.`,
    stored: 'I have stored it',
  },
};
