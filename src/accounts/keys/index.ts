/** Public exports: reading and managing keys. */

export { createKey, hashKey, isPublicScope, isWellFormedKey, keyStore, mayStreamSql } from './key-store.ts';
export {
  changeKey,
  createAccountKey,
  findAccountKey,
  keyState,
  type ListedKey,
  listKeys,
  mayChangeKey,
  mayRevokeKey,
  revokeKey,
  revokeOwnKey,
  rotateKey,
  toKeyOwner,
} from './manage-keys.ts';
