import type { z } from 'zod';
import { wireTime } from '../../wire/time.ts';
import { keyState, type ListedKey } from '../keys/manage-keys.ts';
import type * as schema from './schema.ts';

const time = (at: Date | null) => (at === null ? null : wireTime(at.getTime()));

/** Renders a key for replies. @param now ms */
export function keyItem(key: ListedKey, now: number): z.output<typeof schema.key> {
  const { id, kind, name, prefix, hint, origins, addresses, scopes, member, last_used_from, replaced_by, managed } =
    key;
  return {
    id,
    kind,
    name,
    prefix,
    last_four: hint,
    state: keyState(key, now),
    origins,
    addresses,
    scopes,
    member,
    created_at: wireTime(key.created_at.getTime()),
    expires_at: time(key.expires_at),
    revoked_at: time(key.revoked_at),
    last_used_at: time(key.last_used_at),
    last_used_from,
    replaced_by,
    managed,
  };
}
