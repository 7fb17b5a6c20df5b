/**
 * The key pair that identifies this service to push services (VAPID, RFC 8292). A browser's subscription belongs to the public
 * key, so the pair is generated once and never replaced.
 */
import { createECDH } from 'node:crypto';
import { firstRow, type PoolAndClock } from '../../db/postgres.ts';
import type { SecretColumn } from '../secret-reencryption.ts';
import { decryptSecret, encryptSecret } from '../stored-secret.ts';

/** Bytes of a private key on the curve P-256. */
const PRIVATE_KEY_BYTES = 32;

/** In base64url, as push services and browsers expect them. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

function generateKeys(): PushKeys {
  const curve = createECDH('prime256v1');
  const publicKey = curve.generateKeys('base64url');
  // Leading zeros are not part of Node's value.
  const bytes = curve.getPrivateKey();
  const privateKey = Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES - bytes.length), bytes]).toString('base64url');
  return { publicKey, privateKey };
}

type Deps = PoolAndClock & { secretKeys: readonly string[] };

interface Row {
  public_key: string;
  private_key: string;
}

async function readRow({ pool, clock, secretKeys }: Deps): Promise<Row> {
  const read = async () => (await pool.query<Row>('SELECT public_key, private_key FROM push_keys WHERE id = 1')).rows;
  const [stored] = await read();
  if (stored !== undefined) return stored;
  const { publicKey, privateKey } = generateKeys();
  // If a second process is faster, those keys stay.
  await pool.query(
    `INSERT INTO push_keys (id, public_key, private_key, created_at) VALUES (1, $1, $2, $3) ON CONFLICT DO NOTHING`,
    [publicKey, encryptSecret(privateKey, secretKeys), new Date(clock.now())],
  );
  return firstRow(await read());
}

/** Returns the public key. Generates the keys if there are none. */
export const readPublicKey = async (deps: Deps): Promise<string> => (await readRow(deps)).public_key;

/**
 * Returns the keys. Generates them if there are none.
 * @throws if no key of SECRET_KEY decrypts the private key
 */
export async function readPushKeys(deps: Deps): Promise<PushKeys> {
  const { public_key: publicKey, private_key: stored } = await readRow(deps);
  return { publicKey, privateKey: decryptSecret(stored, deps.secretKeys) };
}

export const PUSH_KEY_SECRETS: SecretColumn = {
  name: 'push key',
  async read(db, prefix) {
    const { rows } = await db.query<{ id: number; stored: string }>(
      'SELECT id, private_key AS stored FROM push_keys WHERE NOT starts_with(private_key, $1)',
      [prefix],
    );
    return rows;
  },
  async replace(db, id, stored, replacement) {
    const { rowCount } = await db.query('UPDATE push_keys SET private_key = $3 WHERE id = $1 AND private_key = $2', [
      id,
      stored,
      replacement,
    ]);
    return rowCount === 1;
  },
};
