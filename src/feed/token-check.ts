/**
 * Checks a feed request's token, and what the writer may send. With FEED_TOKEN (checked in http/auth.ts), the writer
 * may send for every provider. With a provider's token, the writer may send only for that provider. The request either
 * contains this token or is signed with it.
 */
import { decryptSecret } from '../accounts/index.ts';
import { bearerToken, FEED_TOKEN_HEADER, unavailable } from '../http/index.ts';
import { sharedTime } from '../runtime/clock.ts';
import type { Fault } from '../wire/fault.ts';
import type { FeedUpdate } from '../wire/feed-update.ts';
import { SECRETS } from '../wire/secret-formats.ts';
import type { FeedDeps } from './deps.ts';
import { findByHash, findFeedToken, isUsable, noteUse, type StoredToken } from './feed-tokens.ts';
import { type Headers, refuse, verifySignature } from './request-signature.ts';

/** Interval at which the token is checked again during a request, so that a revocation ends the request. */
const CHECK_MS = 5_000;

export interface FeedWriter {
  /** The only provider that updates may name. Null if they may name any. */
  provider: string | null;
  /** True if the request is signed, so that the body is read as a whole and checked by `verify`. */
  signs: boolean;
  /** Returns a fault for each part of the update that the writer may not send. */
  faults(update: FeedUpdate): Fault[];
  /** Checks the signature if the writer signs. @throws {Problem} key_invalid, unavailable */
  verify(body: Uint8Array): Promise<void>;
  /** Yields the request's chunks while the token is usable. @throws {Problem} key_revoked */
  whileUsable(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
}

const ANY: FeedWriter = {
  provider: null,
  signs: false,
  faults: () => [],
  verify: async () => {},
  whileUsable: (chunks) => chunks,
};

/** Finds the writer by the token. @throws {Problem} key_invalid, key_revoked */
export async function findWriter(deps: FeedDeps, headers: Headers): Promise<FeedWriter> {
  const bearer = bearerToken(headers);
  const isOfProvider =
    bearer === undefined ? headers[FEED_TOKEN_HEADER] !== undefined : bearer.startsWith(SECRETS.feed_token.prefix);
  if (!isOfProvider) return ANY;
  const token = bearer === undefined ? await namedToken(deps, headers) : await findFeedToken(deps.pool, bearer);
  if (token === null) throw refuse('key_invalid', 'The feed token is unknown.');
  if (token.isRevoked) throw refuse('key_revoked', 'The feed token has been revoked.');
  // A signing token must not be sent. The request names it by its hash, which is not secret. A bearer token is sent.
  if ((bearer === undefined) !== (token.secret !== null))
    throw refuse(
      'key_invalid',
      bearer === undefined
        ? 'This token does not sign requests: send it as Authorization: Bearer.'
        : 'This token signs requests: do not send the token itself.',
    );
  // The use of a signing token is noted later, once the signature has been checked.
  if (token.secret === null) await noteUse(deps.pool, token, deps.clock.now());
  return writer(deps, headers, token);
}

function namedToken({ pool }: FeedDeps, headers: Headers): Promise<StoredToken | null> {
  const hash = headers[FEED_TOKEN_HEADER] ?? '';
  if (!/^[0-9a-f]{64}$/.test(hash))
    throw refuse('key_invalid', 'X-Service-Token must be the hex of SHA-256 of the token.');
  return findByHash(pool, Buffer.from(hash, 'hex'));
}

function writer(deps: FeedDeps, headers: Headers, token: StoredToken): FeedWriter {
  const { pool, clock, config } = deps;
  const { id, provider, sports, secret } = token;
  return {
    provider,
    signs: secret !== null,
    faults: (update) => limitFaults(update, provider, sports),
    async verify(body) {
      if (secret === null) return;
      verifySignature(headers, body, signingKey(secret, config.secretKeys), sharedTime(clock));
      await noteUse(pool, token, clock.now());
    },
    async *whileUsable(chunks) {
      let checkedAt = clock.now();
      for await (const chunk of chunks) {
        if (clock.now() - checkedAt > CHECK_MS) {
          if (!(await isUsable(pool, id))) throw refuse('key_revoked', 'The feed token has been revoked.');
          checkedAt = clock.now();
        }
        yield chunk;
      }
    },
  };
}

/** Decrypts a signing token's secret. @throws {Problem} unavailable if SECRET_KEY is missing or has changed */
function signingKey(secret: string, secretKeys: readonly string[]): string {
  try {
    return decryptSecret(secret, secretKeys);
  } catch (error) {
    throw unavailable('Signatures cannot be checked at the moment.', error);
  }
}

function limitFaults(update: FeedUpdate, provider: string, sports: readonly string[] | null): Fault[] {
  const faults: Fault[] = [];
  if (update.provider !== provider)
    faults.push({
      path: 'provider',
      code: 'other_provider',
      detail: `the token may only write updates of ${provider}`,
    });
  if (sports === null) return faults;
  const sport = updatedSport(update);
  if (sport === undefined || !sports.includes(sport))
    faults.push({
      path: `${update.kind}.sport`,
      code: 'sport_not_allowed',
      detail: `the token may only write updates of ${sports.join(', ')}`,
    });
  return faults;
}

/** Returns the sport that an update is about. An update about a venue has a sport only if it names one. */
function updatedSport(update: FeedUpdate): string | undefined {
  if (update.kind === 'match') return update.match.sport;
  if (update.kind === 'participant') return update.participant.sport;
  return update.kind === 'tournament' ? update.tournament.sport : update.venue.sport;
}
