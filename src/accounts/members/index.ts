/** Public exports: sign-up, sign-in, invitations, password resets, favourites. */
export { changeAddress, readAddressLink, sendAddressLink, verifyAddress } from './address-link.ts';
export { proveAgain } from './confirm-session.ts';
export {
  addFavourite,
  changeFavourites,
  chosenByMember,
  type Favourite,
  type FavouriteIds,
  listFavourites,
  MAX_CHANGES,
  MAX_FAVOURITES,
  removeFavourite,
} from './favourites.ts';
export { createInvitation, type Invitation, listInvitations, revokeInvitation } from './invitations.ts';
export {
  inviteMember,
  joinAsNewMember,
  joinOrganisation,
  listMemberInvitations,
  type MemberInvitation,
  type ReceivedInvitation,
  readMemberInvitation,
  revokeMemberInvitation,
} from './member-invitations.ts';
export { addPasskey, removePasskey, renamePasskey } from './member-passkeys.ts';
export {
  changePassword,
  type ListedMember,
  listMembers,
  type Member,
  mailReaders,
  readMember,
  type SignedInMember,
  setLanguage,
} from './members.ts';
export {
  changeRole,
  deleteOrganisation,
  findMembership,
  leaveOrganisation,
  listOrganisations,
  type Organisation,
  removeMember,
  renameOrganisation,
  switchOrganisation,
} from './memberships.ts';
export {
  answerOwnership,
  type OwnershipOffer,
  offerOwnership,
  readOffer,
  withdrawOwnership,
} from './ownership.ts';
export { signInWithPasskey, signInWithSecondPasskey } from './passkey-sign-in.ts';
export { PasswordHasher } from './password-hasher.ts';
export { type ResetForm, readResetForm, resetPassword, sendResetLink } from './password-reset.ts';
export { createResetLink, type Leftovers, leftoversText, readLeftovers } from './reset-link.ts';
export { type NoticeName, sendNotice } from './security-notice.ts';
export { endOneSession, endOwnSessions, endSessionsOfAccount } from './session-end.ts';
export { type SignedIn, signIn, signInWithCode } from './sign-in.ts';
export { createSignInLimits } from './sign-in-limits.ts';
export { createOrganisation, signUp } from './sign-up.ts';
export { deviceName } from './user-agent.ts';
