/** Public exports: destinations, for API, jobs, operator, portal and push. */
export { openSender, type Sender } from './attempt.ts';
export { openDestinations } from './connections.ts';
export {
  DESTINATION_KINDS,
  type DestinationSettings,
  isOtherDestination,
  parseDestination,
} from './kinds.ts';
