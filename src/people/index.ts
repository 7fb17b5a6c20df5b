/** Public exports: venues, referees and coaches, for pages. */
export { type CoachDetail, readCoach } from './coaches.ts';
export { storeRefereeFigures } from './referee-figures.ts';
export { type RefereeDetail, readReferee } from './referees.ts';
export { staffVersion } from './staff.ts';
export { findVenue, listVenues, type VenueDetail, venueVersion } from './venues.ts';
