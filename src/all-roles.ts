/** All roles with their routes and channels, for the documents and the tests. */
import type { Role } from './role.ts';
import { LOAD_ROLE } from './roles.ts';

type Roles = Readonly<Record<keyof typeof LOAD_ROLE, Role>>;

export const ROLES = Object.fromEntries(
  await Promise.all(Object.entries(LOAD_ROLE).map(async ([name, load]) => [name, await load()])),
) as Roles;

/** All routes of the service. */
export const allRoutes = Object.values(ROLES).flatMap(({ routes }) => routes);

/** All streams and webhooks of the service. */
export const allChannels = Object.values(ROLES).flatMap(({ channels = [] }) => channels);
