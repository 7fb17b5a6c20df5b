/** Asks browsers for passkeys, and checks their answers. The library is loaded with the first one. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type pg from 'pg';
import { z } from 'zod';
import { Problem } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { CHALLENGE_MS, type ChallengePurpose, createChallenge, takeChallenge } from './passkey-challenges.ts';
import {
  findPasskey,
  type NewPasskey,
  type PasskeyReference,
  passkeyHandle,
  passkeyReferences,
  type StoredPasskey,
} from './passkeys.ts';

interface Deps {
  pool: pg.Pool;
  clock: Clock;
}

/** The site for which passkeys are made. */
export interface PasskeySite {
  origin: string;
  rpId: string;
}

/** @param baseUrl the service's public address */
export function passkeySite(baseUrl: string): PasskeySite {
  const { origin, hostname } = new URL(baseUrl);
  return { origin, rpId: hostname };
}

/** Reasons for which a passkey is refused, with the sentence that the page shows. */
export const REFUSED = {
  unreadable: 'The answer of the passkey cannot be read. Try again.',
  expired: 'The answer of the passkey came too late, or twice, or from another browser. Try again.',
  other_origin: 'The passkey was used on a page of another site. Open this service by its own address.',
  other_site: 'The passkey is for another site. Use one that was made for this address.',
  not_verified: 'The passkey did not check that it is you. It has to ask for a PIN, a fingerprint or your face.',
  unsupported: 'This kind of passkey cannot be used here.',
  unknown: 'This passkey is not known here, or has been removed. Sign in with your password, or use another passkey.',
  wrong: 'The signature of the passkey is wrong.',
  copied: 'This passkey was refused, because it counts as if there were a copy of it. Remove it, and add it again.',
  password_needed:
    'A new password was set after this passkey was last used. Sign in with the password, and then use the passkey.',
} as const;
export type PasskeyRefusal = keyof typeof REFUSED;

/** A refused passkey: an error for the page, and the reason for the audit log. */
export class PasskeyRefused extends Problem {
  readonly reason: PasskeyRefusal;
  /** Null if the passkey is unknown. */
  readonly passkey: StoredPasskey | null;

  constructor(reason: PasskeyRefusal, passkey: StoredPasskey | null = null) {
    super('key_invalid', REFUSED[reason]);
    this.reason = reason;
    this.passkey = passkey;
  }
}

/** EdDSA, ES256 and RS256 (RFC 9053). */
const ALGORITHMS = [-8, -7, -257];

const base64url = (length: number) =>
  z
    .string()
    .min(1)
    .max(length)
    .regex(/^[\w-]+$/);
/** An id has at most 1,023 bytes (WebAuthn, 7.1). */
const credentialId = base64url(1_364);
const CLIENT_DATA = 8_192;
const common = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

const created = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url(CLIENT_DATA),
    attestationObject: base64url(32_768),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .catch([])
      .default([]),
  }),
});

const used = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url(CLIENT_DATA),
    authenticatorData: base64url(8_192),
    signature: base64url(8_192),
    userHandle: base64url(128).nullish(),
  }),
});

const clientData = z.object({
  type: z.string(),
  challenge: base64url(100),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
});

/** @throws {PasskeyRefused} unreadable */
function parse<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new PasskeyRefused('unreadable');
  }
}

/** Uses the challenge up, and checks where the browser has used the passkey. @throws {PasskeyRefused} */
async function checkClient(
  { pool, clock }: Deps,
  encoded: string,
  { origin }: PasskeySite,
  { holder, purpose }: { holder: Buffer; purpose: ChallengePurpose },
): Promise<string> {
  const client = parse(clientData, Buffer.from(encoded, 'base64url').toString());
  const { challenge } = client;
  if (!(await takeChallenge(pool, clock, { holder, purpose, challenge }))) throw new PasskeyRefused('expired');
  if (client.type !== (purpose === 'add' ? 'webauthn.create' : 'webauthn.get')) throw new PasskeyRefused('unreadable');
  if (client.origin !== origin || client.crossOrigin === true) throw new PasskeyRefused('other_origin');
  return challenge;
}

/** @throws {PasskeyRefused} other_site, not_verified, unreadable */
async function checkAuthenticator(authData: Uint8Array<ArrayBuffer>, rpId: string): Promise<void> {
  const { parseAuthenticatorData, toHash } = await import('@simplewebauthn/server/helpers');
  let parsed: ReturnType<typeof parseAuthenticatorData>;
  try {
    parsed = parseAuthenticatorData(authData);
  } catch {
    throw new PasskeyRefused('unreadable');
  }
  const expected = await toHash(new TextEncoder().encode(rpId));
  if (!Buffer.from(parsed.rpIdHash).equals(Buffer.from(expected))) throw new PasskeyRefused('other_site');
  if (!parsed.flags.up || !parsed.flags.uv) throw new PasskeyRefused('not_verified');
}

/** Options with which a browser makes a passkey. @param holder the hash of the member's session */
export async function addOptions(
  { pool, clock }: Deps,
  { rpId }: PasskeySite,
  { memberId, email }: { memberId: number; email: string },
  holder: Buffer,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  return generateRegistrationOptions({
    rpName: 'Touchline',
    rpID: rpId,
    userName: email,
    userID: new Uint8Array(await passkeyHandle(pool, memberId)),
    challenge: new Uint8Array(await createChallenge(pool, clock, holder, 'add')),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: await passkeyReferences(pool, memberId, rpId),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * Options with which a browser uses a passkey.
 * @param memberId null if anybody may sign in. The browser then lists all passkeys that it has for this site.
 * @param holder the hash of the member's session, or see createHolder
 */
export async function useOptions(
  { pool, clock }: Deps,
  { rpId }: PasskeySite,
  memberId: number | null,
  holder: Buffer,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const allowed: PasskeyReference[] = memberId === null ? [] : await passkeyReferences(pool, memberId, rpId);
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge: new Uint8Array(await createChallenge(pool, clock, holder, 'use')),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    ...(allowed.length > 0 && { allowCredentials: allowed }),
  });
}

/**
 * Checks the answer to addOptions.
 * @param text JSON, from the browser
 * @throws {PasskeyRefused}
 */
export async function checkCreated(deps: Deps, site: PasskeySite, holder: Buffer, text: string): Promise<NewPasskey> {
  const answer = parse(created, text);
  const challenge = await checkClient(deps, answer.response.clientDataJSON, site, { holder, purpose: 'add' });
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  await checkAuthenticator(await readAuthData(answer.response.attestationObject), site.rpId);
  const verified = await verifyRegistrationResponse({
    response: { ...answer, clientExtensionResults: {} } as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (verified?.verified !== true) throw new PasskeyRefused('wrong');
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  if (id !== answer.id) throw new PasskeyRefused('wrong');
  const { transports } = answer.response;
  return { credential: id, publicKey: Buffer.from(publicKey), counter, rpId: site.rpId, transports };
}

/**
 * Reads the authenticator data. Refuses statements with certificates, which nobody asked for: to check one, the library
 * would request addresses that the statement names.
 */
async function readAuthData(attestationObject: string): Promise<Uint8Array<ArrayBuffer>> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  let decoded: ReturnType<typeof decodeAttestationObject>;
  try {
    decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
    if (!(decoded.get('authData') instanceof Uint8Array)) throw new TypeError('no authenticator data');
  } catch {
    throw new PasskeyRefused('unreadable');
  }
  const isPlain = decoded.get('fmt') === 'none';
  const isSelfSigned = decoded.get('fmt') === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  if (!isPlain && !isSelfSigned) throw new PasskeyRefused('unsupported');
  return decoded.get('authData');
}

/** A passkey that has signed the challenge. Its counter still has to be checked, see recordUse. */
export interface CheckedUse {
  passkey: StoredPasskey;
  counter: number;
}

/**
 * Checks the answer to useOptions.
 * @param memberId the only member whose passkey may answer; null for any
 * @param text JSON, from the browser
 * @throws {PasskeyRefused}
 */
export async function checkUsed(
  deps: Deps,
  site: PasskeySite,
  { holder, memberId }: { holder: Buffer | null; memberId: number | null },
  text: string,
): Promise<CheckedUse> {
  const answer = parse(used, text);
  const { clientDataJSON, authenticatorData, userHandle } = answer.response;
  if (holder === null) throw new PasskeyRefused('expired');
  const challenge = await checkClient(deps, clientDataJSON, site, { holder, purpose: 'use' });
  const passkey = await findPasskey(deps.pool, answer.id);
  if (passkey === null || (memberId !== null && passkey.memberId !== memberId)) throw new PasskeyRefused('unknown');
  // A passkey that is found without the member's name has to say whose it is (WebAuthn, 7.2).
  const isTheirs = userHandle == null ? memberId !== null : passkey.handle?.toString('base64url') === userHandle;
  if (!isTheirs) throw new PasskeyRefused('unknown', passkey);
  try {
    await checkAuthenticator(new Uint8Array(Buffer.from(authenticatorData, 'base64url')), site.rpId);
  } catch (error) {
    if (error instanceof PasskeyRefused) throw new PasskeyRefused(error.reason, passkey);
    throw error;
  }
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyAuthenticationResponse({
    response: { ...answer, clientExtensionResults: {} } as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    // The counter is compared in the transaction that stores it.
    credential: { id: passkey.credential, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
  }).catch(() => null);
  if (verified?.verified !== true) throw new PasskeyRefused('wrong', passkey);
  return { passkey, counter: verified.authenticationInfo.newCounter };
}
