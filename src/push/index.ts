/** Public exports: notifications in browsers. */
export { pushSubject, startPush } from './push-sender.ts';
export { pushService } from './services.ts';
