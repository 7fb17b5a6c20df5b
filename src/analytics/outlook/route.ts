/** Season outlooks over REST. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { requireSeason, type SeasonRow } from '../../competitions/index.ts';
import { bool, idParam, idParams, unavailable } from '../../http/index.ts';
import { wireTime } from '../../wire/time.ts';
import { modelledSports } from '../calibrated/parameters.ts';
import { type AnalyticsDeps, route } from '../deps.ts';
import { historyLoading } from '../history-loading.ts';
import { formatDate } from '../samples/match-samples.ts';
import { computeOutlook, type Outlook, storedSample } from './outlook.ts';
import * as schema from './schema.ts';
import { SEASON_SIMULATIONS } from './simulate.ts';
import {
  type OutlookState,
  outlookHistory,
  outlookState,
  type StoredOutlook,
  storeOutlook,
} from './stored-outlooks.ts';

const OUTLOOK_SECONDS = 60;
/** Maximum number of outlooks that wait to be computed, since each takes up to a second. */
const MOST_WAITING = 8;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** Runs one piece of work at a time, so that the process has time for other requests. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  waiting += 1;
  const result = last.then(work);
  last = result.catch(() => {}).finally(() => (waiting -= 1));
  return result;
}

export const outlook = route({
  method: 'GET',
  path: '/v1/tournament/{id}/outlook',
  example: {},
  summary: 'Season outlook',
  description: `How likely each side is to become champion and to end at each place and in each zone. Computed from ${SEASON_SIMULATIONS.toLocaleString('en')} simulations of the remaining matches, with the calibrated model of ${modelledSports('en')} and the full rules of the table: tie-breaks, deductions, groups, and the division of a league. Sides that stay level are ordered by lot. Knock-out rounds are not simulated. A live match counts when it ends.`,
  tag: 'Analytics',
  access: 'key',
  cost: 1,
  cache: { maxAge: OUTLOOK_SECONDS },
  params: idParams,
  query: z.object({
    season: idParam.optional().meta({ description: 'Season id; default: the current season' }),
    history: bool.default(false),
  }),
  response: schema.outlook,
  errors: ['not_found'],
  handler: ({ params: { id }, query: { season: seasonId, history } }, deps) =>
    deps.caches.replies.get(`outlook ${id} ${seasonId} ${history}`, null, async (cached) => {
      const season = await requireSeason(deps, id, seasonId);
      const { tournament_id, tournament, season_id, season_label } = season;
      const state = season_id === null ? null : await outlookState(deps.pool, season_id, deps.clock.now());
      if (state !== null && !state.is_loaded) throw historyLoading();
      const version = `${season_id} ${season_label} ${tournament} ${state?.version}`;
      if (cached?.version === version) return cached;
      const { computed_at, outlook: found } = await presentOutlook(deps, season, state);
      const shown = { tournament_id, tournament, season_id, season_label, computed_at, ...found };
      const days = history && season_id !== null ? { history: await outlookHistory(deps.pool, season_id) } : {};
      const body = JSON.stringify({ ...shown, ...days });
      return { body, version, etag: hash('sha1', body, 'base64url') };
    }),
});

/** Returns the stored outlook if it is up to date, or computes it. */
async function presentOutlook(
  { pool, clickhouse, clock }: AnalyticsDeps,
  season: SeasonRow,
  state: OutlookState | null,
): Promise<StoredOutlook> {
  const { season_id, tournament_id } = season;
  const { stored } = state ?? { stored: null };
  if (stored !== null && stored.version === state!.version) return stored;
  if (waiting >= MOST_WAITING) throw unavailable('Too many outlooks are being computed.');
  return inTurn(async () => {
    const now = clock.now();
    const sample = storedSample(clickhouse, state?.era ?? 0, tournament_id);
    const computed: Outlook = await computeOutlook(pool, season, { now, sample });
    // A finished season needs no simulation. Its outlook is not stored, and its history does not grow.
    if (computed.simulations > 0) {
      const row = { season: season_id!, day: formatDate(now / 1_000), version: state!.version, outlook: computed };
      await storeOutlook(pool, row, now);
    }
    return { computed_at: wireTime(now), outlook: computed };
  });
}
