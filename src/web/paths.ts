/** Canonical page paths, relative to the root. Each path contains an id, and a name for people and search engines. */
import { foldName } from '../db/fold-name.ts';
import { type Html, html } from '../site/html.ts';

const MAX_SLUG = 80;

/** Returns `manchester-city`; empty for a name without letters or digits. */
const toSlug = (name: string): string => foldName(name).slice(0, MAX_SLUG).trim().replaceAll(' ', '-');

const toPath = (kind: string, id: number, name: string): string => {
  const slug = toSlug(name);
  return slug === '' ? `${kind}/${id}` : `${kind}/${id}/${slug}`;
};

/** @param name in English */
export const teamPath = (id: number, name: string): string => toPath('team', id, name);
export const playerPath = (id: number, name: string): string => toPath('player', id, name);
export const refereePath = (id: number, name: string): string => toPath('referee', id, name);
export const coachPath = (id: number, name: string): string => toPath('coach', id, name);
export const venuePath = (id: number, name: string): string => toPath('venue', id, name);
export const tournamentPath = (id: number, name: string): string => toPath('tournament', id, name);
export const matchPath = (id: number, home: string, away: string): string => toPath('match', id, `${home} ${away}`);

/** The page with all meetings of two teams. @param second absent if the reader is to choose the other team */
export const meetingsPath = (first: number, second?: number): string =>
  `meetings?first=${first}${second === undefined ? '' : `&second=${second}`}`;

/**
 * Shows a player's name, as a link if the player has an id.
 * @param name in English
 * @param root relative URL of the root
 * @param shown name in the page's language
 */
export const playerLink = (id: number | null, name: string, root: string, shown: Html | string = name): Html =>
  id === null ? html`${shown}` : html`<a href="${root}${playerPath(id, name)}">${shown}</a>`;

/** Shows a team's name, as a link if the team has an id. See `playerLink`. */
export const teamLink = (id: number | null, name: string, root: string, shown: Html | string = name): Html =>
  id === null ? html`${shown}` : html`<a href="${root}${teamPath(id, name)}">${shown}</a>`;
