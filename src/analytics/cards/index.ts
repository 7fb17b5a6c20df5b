/** Public exports: analytics cards and trends. */
export { Cards } from './cards.ts';
export { computeProfile, renderProfile } from './league-profile.ts';
export { type LeagueTrend, leagueTrends } from './league-trends.ts';
export { computeCard, renderCard } from './match-card.ts';
export { CardRefresh } from './refresh-cards.ts';
export { CARD_JOB, tournamentVariant } from './stored-cards.ts';
export {
  findMatchSubject,
  findTournamentSubject,
  findTournamentSubjects,
  type MatchSubject,
  type RecentMatch,
  recentMatches,
  type TournamentSubject,
} from './subjects.ts';
