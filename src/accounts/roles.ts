/** The permissions of each role in an organisation. This table is the only source. */
import type { Permission, Role } from '../http/index.ts';

export const ROLES = ['owner', 'admin', 'developer', 'billing', 'viewer'] as const satisfies readonly Role[];

/** Everything except decisions about the organisation itself. */
const ADMIN: readonly Permission[] = ['personal', 'view', 'read', 'own_keys', 'keys', 'webhooks', 'members', 'audit'];

const PERMISSIONS: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set([...ADMIN, 'organisation']),
  admin: new Set(ADMIN),
  developer: new Set(['personal', 'view', 'read', 'own_keys', 'webhooks']),
  billing: new Set(['personal', 'view']),
  viewer: new Set(['personal', 'view', 'read']),
};

/** The roles that permit something. */
export const rolesWith = (permission: Permission): Role[] => ROLES.filter((role) => PERMISSIONS[role].has(permission));

const NOTHING: ReadonlySet<Permission> = new Set();

/** @param role null for somebody who is no member */
export const rolePermissions = (role: Role | null): ReadonlySet<Permission> =>
  role === null ? NOTHING : PERMISSIONS[role];

/** Whether someone with a role may give another one, which must not permit more than the giver's own. */
export const mayGrant = (giver: Role, role: Role): boolean =>
  [...PERMISSIONS[role]].every((permission) => PERMISSIONS[giver].has(permission));
