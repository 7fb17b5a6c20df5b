/** The clubs of the Euroleague by their codes. */
import { TeamCodes } from '../team-codes.ts';

export const CLUBS = new TeamCodes('euroleague-clubs.csv');
