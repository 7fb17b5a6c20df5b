/**
 * The handshake with a new URL: a signed `webhook.challenge`, which the receiver verifies like any event and confirms
 * by a reply that repeats `data.challenge`, alone or as `{"challenge": "…"}`. It is sent like a delivery, and again
 * after a failure, until the last retry.
 */
import { randomBytes } from 'node:crypto';
import { readMember } from '../../runtime/unknown-values.ts';
import type { AttemptResult } from './attempt.ts';
import { retryWait } from './retry-schedule.ts';

const CHALLENGE_BYTES = 32;

export const newChallenge = (): string => randomBytes(CHALLENGE_BYTES).toString('base64url');

const NOT_REPEATED = 'the reply does not repeat the challenge';

/** @returns whether a body confirms; an echo of the whole request does not */
export function repeats(body: string | null, challenge: string): boolean {
  const text = body?.trim() ?? '';
  if (text === challenge) return true;
  try {
    return readMember(JSON.parse(text), 'challenge') === challenge;
  } catch {
    return false;
  }
}

/** @returns the outcome of a challenge: a reply 2xx that does not repeat it is a failure */
export function judged(outcome: AttemptResult, challenge: string): AttemptResult {
  if (outcome.failure !== null || repeats(outcome.reply, challenge)) return outcome;
  return { ...outcome, failure: NOT_REPEATED, cause: 'challenge' };
}

/** The handshake of a leased subscription whose URL is not confirmed; times in milliseconds since 1970. */
export class Handshake {
  #challenges: number;
  /** null: the last retry was made, and the owner has to request another challenge. */
  #dueAt: number | null;

  /** @param row the number of challenges sent, and the time of the last one */
  constructor({ challenges, challenged_at }: { challenges: number; challenged_at: number | null }, now: number) {
    this.#challenges = challenges;
    this.#dueAt = challenges === 0 ? now : dueAfter(challenges, null, challenged_at ?? now);
  }

  isDue(now: number): boolean {
    return this.#dueAt !== null && this.#dueAt <= now;
  }

  /** Records another challenge. @returns the number sent so far */
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
