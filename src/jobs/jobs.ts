/** The job list. */
import { analyticsCards } from './analytics-cards.ts';
import { cachePurge } from './cache-purge.ts';
import { coverage } from './coverage.ts';
import { expectedGoals } from './expected-goals.ts';
import { housekeeping } from './housekeeping.ts';
import type { Job } from './job.ts';
import { pollingJobs } from './live-sources.ts';
import { matchRates } from './match-rates.ts';
import { participantPairs } from './participant-pairs.ts';
import { playerLinks } from './player-links.ts';
import { ratings } from './ratings.ts';
import { refereeFigures } from './referee-figures.ts';
import { searchRefresh } from './search-refresh.ts';
import { seasonFigures } from './season-figures.ts';
import { seasonOutlook } from './season-outlook.ts';
import { weather } from './weather.ts';

export const JOBS: readonly Job[] = [
  housekeeping,
  playerLinks,
  participantPairs,
  weather,
  coverage,
  searchRefresh,
  ratings,
  matchRates,
  analyticsCards,
  expectedGoals,
  seasonOutlook,
  seasonFigures,
  refereeFigures,
  cachePurge,
  ...pollingJobs,
];
