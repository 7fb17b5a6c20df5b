/** Public exports: resolving, naming and storing entities. */
export { checkSize, ImageError, prepareImage, storeImage } from './convert-image.ts';
export { decidedPlayers } from './decided-players.ts';
export { joinPersons, type MovedAlias, moveAliases, moveAliasesBack, splitPersons } from './joined-participants.ts';
export { type Item, KnownTournaments, toTournamentUpdate } from './known-tournaments.ts';
export { linkCoaches } from './link-coaches.ts';
export {
  type EntityDeps,
  isReferred,
  type ListedParticipant,
  type Reference,
  type Referred,
  resolveReferences,
  storeListed,
} from './list-references.ts';
export { isListedCoach, type ListedTeam, mayBeListedCoach } from './listed-coaches.ts';
export { type ColouredTeam, colourRows, teamColours } from './listed-colours.ts';
export { type AliasRow, type RussianName, replaceAliases, setRussianNames } from './listed-names.ts';
export { joinListedReferees } from './listed-referees.ts';
export { forgetMatchIds, moveMatchIds, storeMatchIds } from './match-ids.ts';
export {
  matchReferenceFaults,
  type PlayerRef,
  type ResolvedRefs,
  resolveMatchReferences,
  resolvePlayers,
} from './match-references.ts';
export { deleteUnseen, ensureNamed, settleNamed } from './named-participants.ts';
export { applyListedNames, LIST_PROVIDER } from './participant-names.ts';
export { applyParticipantUpdates } from './participant-updates.ts';
export type { Figure } from './player-figures.ts';
export { type Links, linkFigures } from './player-links.ts';
export { refereeNames, type StaffRole } from './staff-names.ts';
export { loadNamed, loadPersons, type StoredMention, type StoredNamed } from './stored-players.ts';
export { type StaffName, storeStaffNames } from './stored-staff.ts';
export { applyTournamentUpdate } from './tournament-updates.ts';
export { applyVenueUpdate } from './venue-updates.ts';
