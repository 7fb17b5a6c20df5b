/** Public exports: accounts, audit log, stored secrets, repeated requests. Subfolders have their own index files. */
export {
  type Account,
  approveAccount,
  changePlan,
  countByPlan,
  deleteAccount,
  findAccount,
  insertAccount,
  listAccounts,
  removeAccount,
  searchAccounts,
  suspendAccount,
} from './accounts.ts';
export {
  type Actor,
  type AuditRow,
  accountIdOf,
  audit,
  OPERATOR,
  readAudit,
  readsAudit,
  searchAudit,
  toActor,
} from './audit.ts';
export type { AuditAction } from './audit-actions.ts';
export { type AuditEvent, auditEvent, numberEntries, readNumbered } from './audit-events.ts';
export { normalEmail } from './email-address.ts';
export {
  type CreatedReply,
  createOnce,
  IDEMPOTENCY_HEADER,
  ONCE_FIELD,
  type OnceInput,
  REPLAYED_HEADER,
} from './idempotency.ts';
export {
  findNamespaceAccount,
  findOwned,
  listOwned,
  type ManagedKind,
  type ManagingResource,
  type Ownership,
  ownTarget,
  refuseManaged,
  releaseTarget,
  resourceActor,
} from './managed-resources.ts';
export { mayGrant, ROLES, rolePermissions } from './roles.ts';
export { countOlderSecrets, type Reencrypted, reencryptColumns, type SecretColumn } from './secret-reencryption.ts';
export { decryptSecret, encryptSecret } from './stored-secret.ts';
