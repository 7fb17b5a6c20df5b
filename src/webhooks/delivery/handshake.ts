/**
 * The handshake with a new URL. The receiver verifies a signed `webhook.challenge` like any event, and confirms the
 * URL by repeating `data.challenge` in its reply, alone or as `{"challenge": "…"}`. After a failure, the challenge is
 * retried on the same schedule as a delivery.
 */
import { randomBytes } from 'node:crypto';
import { readMember } from '../../runtime/unknown-values.ts';
import type { AttemptResult } from '../destinations/attempt.ts';
import { retryWait } from './retry-schedule.ts';

const CHALLENGE_BYTES = 32;

export const newChallenge = (): string => randomBytes(CHALLENGE_BYTES).toString('base64url');

const NOT_REPEATED = 'the reply does not repeat the challenge';

/** Returns whether a reply's body confirms the URL. An echo of the whole request does not. */
export function repeats(body: string | null, challenge: string): boolean {
  const text = body?.trim() ?? '';
  if (text === challenge) return true;
  try {
    return readMember(JSON.parse(text), 'challenge') === challenge;
  } catch {
    return false;
  }
}

/** @returns the challenge's outcome, which is a failure if a reply 2xx does not repeat the challenge */
export function judged(outcome: AttemptResult, challenge: string): AttemptResult {
  if (outcome.failure !== null || repeats(outcome.reply, challenge)) return outcome;
  return { ...outcome, failure: NOT_REPEATED, cause: 'challenge' };
}

/** The handshake of a leased subscription, until the URL is confirmed. Times are in milliseconds since 1970. */
export class Handshake {
  #challenges: number;
  /** When the next challenge is due. Null after the last retry; then the owner has to request a new challenge. */
  #dueAt: number | null;

  /** @param row how many challenges were sent, and when the last one was */
  constructor({ challenges, challenged_at }: { challenges: number; challenged_at: number | null }, now: number) {
    this.#challenges = challenges;
    this.#dueAt = challenges === 0 ? now : dueAfter(challenges, null, challenged_at ?? now);
  }

  isDue(now: number): boolean {
    return this.#dueAt !== null && this.#dueAt <= now;
  }

  /** Records one more challenge. @returns the number sent so far */
  sent(retryAfter: string | null, now: number): number {
    this.#challenges += 1;
    this.#dueAt = dueAfter(this.#challenges, retryAfter, now);
    return this.#challenges;
  }
}

function dueAfter(challenges: number, retryAfter: string | null, at: number): number | null {
  const wait = retryWait(challenges, retryAfter, at);
  return wait === null ? null : at + wait;
}
