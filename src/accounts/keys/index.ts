/** Exports for other rooms: reading and managing keys. */
export {
  changeKey,
  createAccountKey,
  findAccountKey,
  keyState,
  type ListedKey,
  listKeys,
  revokeKey,
  rotateKey,
} from './account-keys.ts';
export { createKey, hashKey, isWellFormedKey, keyStore } from './keys.ts';
