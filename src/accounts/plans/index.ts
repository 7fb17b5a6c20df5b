/** Public exports: plans and what they include. */
export type { Plan } from './plan-file.ts';
export { perAddressText, priceText, windowsText } from './plan-text.ts';
export { hasWebhooks, OfferedPlans } from './plans.ts';
export { withinAccess } from './within-access.ts';
