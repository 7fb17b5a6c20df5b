/** Euroleague clubs, keyed by code. */
import { TeamCodes } from '../team-codes.ts';

export const CLUBS = new TeamCodes('euroleague-clubs.csv');
