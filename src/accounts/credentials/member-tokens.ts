/** Tokens for sessions, links and calendars. Only the hashes are stored. */
import { createHash } from 'node:crypto';

/** Also matches tokens from before version 0.3, which have no prefix. */
export const TOKEN_FORMAT = /^[A-Za-z0-9_-]{43}$/;

export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();
