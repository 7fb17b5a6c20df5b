/**
 * An authenticator in software, which makes and uses passkeys as a browser and a device do together. Tests can make it lie about
 * everything that a hostile client could.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const FLAG = { userPresent: 0x01, userVerified: 0x04, hasCredential: 0x40 };

/** What is sent in place of the truth. */
export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  isVerified?: boolean;
  isPresent?: boolean;
  type?: string;
  crossOrigin?: boolean;
  /** The signature counter. */
  counter?: number;
  userHandle?: string | null;
  /** Signs with a key that the service does not know. */
  hasWrongKey?: boolean;
  /** Statement about the authenticator, in place of none. */
  attestation?: { fmt: string; attStmt: Cbor };
}

export interface PublicKeyOptions {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string; name: string };
  excludeCredentials?: { id: string }[];
  allowCredentials?: { id: string }[];
  authenticatorSelection?: { residentKey: string; userVerification: string };
  userVerification?: string;
  attestation?: string;
  timeout?: number;
}

type Cbor = number | string | Buffer | Cbor[] | CborMap;
interface CborMap extends ReadonlyMap<number | string, Cbor> {}

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

/** RFC 8949, as far as WebAuthn needs it. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])]);
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url');

/** The public key in COSE (RFC 9053): ES256 on P-256. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x, y } = publicKey.export({ format: 'jwk' });
  const bytes = (text: string | undefined) => Buffer.from(text!, 'base64url');
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
}

interface Credential {
  id: Buffer;
  rpId: string;
  userHandle: string;
  privateKey: KeyObject;
  counter: number;
}

export class Authenticator {
  readonly credentials: Credential[] = [];
  readonly #origin: string;
  /** False for authenticators that do not count, such as those that copy passkeys between devices. */
  readonly #counts: boolean;

  constructor(origin: string, counts = true) {
    this.#origin = origin;
    this.#counts = counts;
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? this.#origin,
        crossOrigin: lies.crossOrigin ?? false,
      }),
    );
  }

  #authData(rpId: string, counter: number, lies: Lies, credential: Buffer = Buffer.alloc(0)): Buffer {
    const flags =
      (lies.isPresent === false ? 0 : FLAG.userPresent) |
      (lies.isVerified === false ? 0 : FLAG.userVerified) |
      (credential.length > 0 ? FLAG.hasCredential : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(lies.counter ?? counter);
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([flags]), count, credential]);
  }

  /** Makes a passkey. @returns the answer, as the script of the page sends it */
  create(options: PublicKeyOptions, lies: Lies = {}): string {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = randomBytes(32);
    const { rp, user, challenge } = options;
    const counter = this.#counts ? 1 : 0;
    this.credentials.push({ id, rpId: rp!.id, userHandle: user!.id, privateKey, counter });
    const length = Buffer.from([0, id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]);
    const authData = this.#authData(rp!.id, counter, lies, credential);
    const { fmt, attStmt } = lies.attestation ?? { fmt: 'none', attStmt: new Map() };
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ]),
    );
    return JSON.stringify({
      id: base64url(id),
      rawId: base64url(id),
      type: 'public-key',
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', challenge, lies)),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      },
    });
  }

  /** Uses a passkey: by default the newest one. @returns the answer, as the script of the page sends it */
  get(options: PublicKeyOptions, lies: Lies = {}, credential: Credential = this.credentials.at(-1)!): string {
    if (this.#counts) credential.counter += 1;
    const clientData = this.#clientData('webauthn.get', options.challenge, lies);
    const authData = this.#authData(options.rpId!, credential.counter, lies);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    const key = lies.hasWrongKey
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : credential.privateKey;
    return JSON.stringify({
      id: base64url(credential.id),
      rawId: base64url(credential.id),
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', signed, key)),
        userHandle: lies.userHandle === undefined ? credential.userHandle : lies.userHandle,
      },
    });
  }
}
