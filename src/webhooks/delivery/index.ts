/** Public exports: deliveries, for portal and API. */
export type { LogRecord } from '../../events/index.ts';
export {
  DELIVERY_ID,
  type Delivery,
  type DeliveryFilter,
  findDeliveries,
  findDelivery,
  PAGE_SIZE,
} from './delivery-log.ts';
export { readEvent, readEvents, readReceipts } from './event-explorer.ts';
export { startNoticeMail } from './notice-mail.ts';
export type { RequestedResult } from './requested-event.ts';
export { parseRetryAfter } from './retry-schedule.ts';
export { readSentHeaders, type SentHeaders } from './sent-headers.ts';
