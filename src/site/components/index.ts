/** Exports for other rooms: components that several pages have. */
export { contactLink } from './contact.ts';
export { dateTime, logTime } from './time.ts';
