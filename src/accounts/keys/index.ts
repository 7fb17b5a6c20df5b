/** Public exports: reading and managing keys. */

export { createKey, hashKey, isPublicScope, isWellFormedKey, keyStore, mayStreamSql } from './key-store.ts';
export {
  changeKey,
  createAccountKey,
  findAccountKey,
  keyState,
  type ListedKey,
  listKeys,
  revokeKey,
  rotateKey,
} from './manage-keys.ts';
