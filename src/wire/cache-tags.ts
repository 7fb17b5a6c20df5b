/**
 * Tags that caches in front of the service store with a page (header Cache-Tag), by which they can forget it. A page has
 * at most 16. docs/caching.md lists them.
 */

/** Every page and file that caches may keep. */
export const SITE_TAG = 'touchline';
/** Pages that list matches. Any change of a match may change them. */
export const MATCHES_TAG = 'matches';

export const matchTag = (id: number): string => `match-${id}`;
export const tournamentTag = (id: number): string => `tournament-${id}`;
/** @param id of a team or player */
export const participantTag = (id: number): string => `participant-${id}`;
