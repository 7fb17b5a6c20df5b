/** Feeds matches in small leagues, and requests analytics for them as a client does. */
import assert from 'node:assert/strict';
import type { AnalyticsCard } from '../../src/analytics/schema.ts';
import type { Analytics, Match } from '../support/analytics.ts';

export interface Trends {
  name: string;
  form: AnalyticsCard['home']['form'] & { last_n: { matches: number; form: string } };
  scope: Record<string, unknown>;
  standing: AnalyticsCard['home']['standing'];
  recent: Record<string, unknown>[];
  trends: { label: string; side: string }[];
  disclaimer: string;
}

let serial = 0;

/**
 * Makes a match in a separate league. Without a score, the match has not been played.
 * @param day a day, on which the match starts at 15:00 (UTC), or a time
 */
export const match = (
  tournament: string,
  day: string,
  home: string,
  away: string,
  score?: [number, number],
  over: Partial<Match> = {},
): Match => ({
  id: `x${++serial}`,
  sport: 'football',
  tournament: { name: tournament, country: 'GB-ENG' },
  season: { label: '2023/24' },
  home: { name: `${tournament} ${home}`, country: 'GB-ENG' },
  away: { name: `${tournament} ${away}`, country: 'GB-ENG' },
  scheduled_start: day.includes('T') ? day : `${day}T15:00:00Z`,
  ...(score && { status: 'finished', score: { home: score[0], away: score[1] } }),
  ...over,
});

export function apiBench(service: () => Analytics) {
  const get = async <T>(path: string) => {
    const { status, json, text } = await service().app.ask<T>(path);
    assert.equal(status, 200, text);
    return json;
  };
  return {
    get,
    /** Feeds matches and loads them. Returns our ids. */
    async load(...matches: Match[]) {
      const ids = await service().matches(...matches);
      await service().settle();
      return ids;
    },
    league: (name: string, over: object = {}) =>
      service().tournaments({ name, country: 'GB-ENG', sport: 'football', tier: 1, ...over }),
    card: (id: number, query = '') => get<AnalyticsCard>(`/v1/event/${id}/analytics?${query}`),
    trends: async (name: string, query = '') =>
      get<Trends>(`/v1/participant/${await service().idOf('participant', name)}/trends?${query}`),
    profile: async (name: string, query = '') =>
      get<Record<string, unknown>>(`/v1/tournament/${await service().idOf('tournament', name)}/profile?${query}`),
  };
}
