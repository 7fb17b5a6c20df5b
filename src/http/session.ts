/** The signed session cookie of our own pages: proves that one of them was served to this browser; it identifies nobody. */
import { randomBytes } from 'node:crypto';
import Keygrip from 'keygrip';

const NAME = 'touchline_session';
/** 7 days. A page served in the second half of this time renews the cookie. */
const SESSION_SECONDS = 7 * 24 * 60 * 60;
const VALUE = /^([A-Za-z0-9_-]{22})\.(\d{1,12})\.([A-Za-z0-9_-]{20,60})$/;

export interface Session {
  id: string;
  /** Unix seconds. */
  issuedAt: number;
}

export interface Sessions {
  /** Null for a missing, forged, malformed or expired cookie. */
  read(cookieHeader: string | undefined, nowMs: number): Session | null;
  /** A new session, or the given one if it is young enough; `cookie` is set when the browser needs a new value. */
  issue(before: Session | null, nowMs: number, secure: boolean): { session: Session; cookie: string | null };
}

/** @param secretKeys the first signs, all verify. */
export function createSessions(secretKeys: readonly string[]): Sessions {
  // Without a secret sessions are valid in this process only.
  const keys = new Keygrip(secretKeys.length > 0 ? [...secretKeys] : [randomBytes(32).toString('hex')], 'sha256');
  const signed = (id: string, issuedAt: string) => `${NAME}=${id}.${issuedAt}`;

  return {
    read(cookieHeader, nowMs) {
      if (cookieHeader === undefined) return null;
      for (const part of cookieHeader.split(';')) {
        const cookie = part.trim();
        if (!cookie.startsWith(`${NAME}=`)) continue;
        const [, id, issued, signature] = VALUE.exec(cookie.slice(NAME.length + 1)) ?? [];
        if (id === undefined || issued === undefined || signature === undefined) continue;
        const ageSeconds = nowMs / 1000 - Number(issued);
        if (ageSeconds > SESSION_SECONDS || !keys.verify(signed(id, issued), signature)) continue;
        return { id, issuedAt: Number(issued) };
      }
      return null;
    },
    issue(before, nowMs, secure) {
      const now = Math.floor(nowMs / 1000);
      if (before !== null && now - before.issuedAt < SESSION_SECONDS / 2) return { session: before, cookie: null };
      const session = { id: before?.id ?? randomBytes(16).toString('base64url'), issuedAt: now };
      const value = `${signed(session.id, String(now))}.${keys.sign(signed(session.id, String(now)))}`;
      const attributes = `Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
      return { session, cookie: `${value}; ${attributes}` };
    },
  };
}
