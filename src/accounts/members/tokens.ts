/** Random tokens: the cookie of a session, a one-time link. Only their hashes are stored. */
import { createHash, randomBytes } from 'node:crypto';

/** 256 bits: a stored hash needs no salt. */
const TOKEN_BYTES = 32;
export const TOKEN_FORMAT = /^[A-Za-z0-9_-]{43}$/;

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();
