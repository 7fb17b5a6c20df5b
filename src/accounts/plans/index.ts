/** Public exports: plans and what they include. */
export { declarePlan, withdrawPlan } from './declared-plans.ts';
export type { Plan, Plans } from './plan-file.ts';
export { perAddressText, priceText, windowsText } from './plan-text.ts';
export { hasWebhooks, OfferedPlans } from './plans.ts';
export { withinAccess } from './within-access.ts';
