/** Roles in an organisation, and what they permit. accounts/roles.ts has the table. */

/** The role of a person in an organisation. */
export type Role = 'owner' | 'admin' | 'developer' | 'billing' | 'viewer';

/**
 * The right that a route about an account requires. view: the account, its plan, use and members. read: keys, webhooks,
 * deliveries and events, without secrets. own_keys: one's personal keys. organisation: single sign-on, transfer, name and
 * deletion. personal: what belongs to the person, which every role permits.
 */
export type Permission =
  | 'view'
  | 'read'
  | 'own_keys'
  | 'keys'
  | 'webhooks'
  | 'members'
  | 'audit'
  | 'organisation'
  | 'personal';
