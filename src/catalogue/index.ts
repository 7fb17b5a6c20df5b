/** Public exports: names, leagues and pictures, for pages. */

export { DRAWINGS_VERSION } from './drawings-version.ts';
export {
  largestId,
  matchesBetween,
  PAGE_KINDS,
  type PageKind,
  participantsBetween,
  tournamentsBetween,
  venuesBetween,
} from './id-ranges.ts';
export {
  type Choices,
  findLeagues,
  findPlayedLeagues,
  type League,
  type LeagueFilter,
  leagueChoices,
  type NamedLeague,
  type PlayedLeague,
  readLeagueNames,
  type TopLeague,
  topLeaguesRead,
} from './leagues.ts';
export { listedMatchesRead } from './listed-matches.ts';
export { type PlayerPart, type PlayerTotals, playerPart, wholeMatchMinutes } from './minutes-played.ts';
export { NEUTRAL_COLOURS } from './monogram.ts';
export { type ParticipantDrawing, participantDrawing } from './participant-image.ts';
export { type Season, type ShownTournament, seasonsRead, tournamentRead, tournamentsVersion } from './queries.ts';
export { patternShapes } from './shirt-pattern.ts';
export {
  countryNames,
  findParticipantName,
  findSeasonLabel,
  findSubject,
  findTournamentName,
  type MarkedSubject,
  markedSubjects,
  type Names,
  playerNames,
  russianTournamentNames,
  type Subject,
} from './shown-names.ts';
export { profileRead, type ShownProfile } from './shown-profile.ts';
