/** Seconds for which a client may cache a reply (Cache-Control: max-age), by match status. Pure. */
export const LIVE_SECONDS = 5;
export const SCHEDULED_SECONDS = 60;
const FINALIZED_SECONDS = 3_600;

export function cardMaxAge({ status, finalized }: { status: string; finalized: boolean }): number {
  if (status === 'live') return LIVE_SECONDS;
  return finalized ? FINALIZED_SECONDS : SCHEDULED_SECONDS;
}
