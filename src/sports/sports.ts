/** The service's sports, by id. */
import { americanFootball } from './american-football.ts';
import { aussieRules } from './aussie-rules.ts';
import { baseball } from './baseball.ts';
import { basketball } from './basketball.ts';
import { cricket } from './cricket.ts';
import { darts } from './darts.ts';
import { esports } from './esports.ts';
import { football } from './football.ts';
import { futsal } from './futsal.ts';
import { handball } from './handball.ts';
import { iceHockey } from './ice-hockey.ts';
import { mma } from './mma.ts';
import { rugby } from './rugby.ts';
import { snooker } from './snooker.ts';
import type { Sport } from './sport.ts';
import { type SportWords, USUAL_WORDS } from './sport-words.ts';
import { tableTennis } from './table-tennis.ts';
import { tennis } from './tennis.ts';
import { volleyball } from './volleyball.ts';

export const SPORTS: readonly Sport[] = [
  football,
  basketball,
  iceHockey,
  tennis,
  baseball,
  volleyball,
  handball,
  rugby,
  americanFootball,
  aussieRules,
  mma,
  snooker,
  darts,
  tableTennis,
  cricket,
  futsal,
  esports,
];

export const SPORT_SLUGS = SPORTS.map((sport) => sport.slug);

const BY_SLUG: ReadonlyMap<string, Sport> = new Map(SPORTS.map((sport) => [sport.slug, sport]));

/** @returns undefined for a sport that has no file here, only a row in the database */
export const findSport = (slug: string): Sport | undefined => BY_SLUG.get(slug);

/** @returns the usual words for a sport that has no file here */
export const sportWords = (slug: string): SportWords => findSport(slug)?.words ?? USUAL_WORDS;

/** Returns the slugs of the sports that meet the condition, by sport id. */
export const sportsWith = (condition: (sport: Sport) => boolean): string[] =>
  SPORTS.filter(condition).map(({ slug }) => slug);
