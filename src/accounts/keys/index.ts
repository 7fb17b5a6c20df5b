/** Public exports: reading and managing keys. */

export { createKey, hashKey, isPublicScope, isWellFormedKey, keyStore, mayStreamSql } from './key-store.ts';
export {
  changeKey,
  createAccountKey,
  findAccountKey,
  type KeyOwner,
  keyState,
  type ListedKey,
  listKeys,
  MAX_OVERLAP_SECONDS,
  mayChangeKey,
  mayRevokeKey,
  revokeKey,
  revokeKeyByHand,
  revokeOwnKey,
  rotateKey,
  toKeyOwner,
} from './manage-keys.ts';
