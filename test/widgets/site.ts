/** Serves the widgets over HTTP, with a league whose figures are known. */

import { createReplyCaches } from '../../src/http/reply-caches.ts';
import type { WebDeps } from '../../src/web/deps.ts';
import { routes as webRoutes } from '../../src/web/routes.ts';
import type { WidgetDeps } from '../../src/widgets/deps.ts';
import { routes as widgetRoutes } from '../../src/widgets/routes.ts';
import { type Analytics, type Match, startAnalytics } from '../support/analytics.ts';
import { startApp, type TestApp, testConfig } from '../support/http.ts';

export interface WidgetSite {
  service: Analytics;
  app: TestApp;
  /** Starts a second process with different settings on the same data. */
  start(config: { widgetFrameAncestors?: string; publicSite?: boolean }): Promise<TestApp>;
  /**
   * Creates a league in which A wins all its matches 3:0 and all other matches end 1:1.
   * @returns our id for the tournament
   */
  league(name: string, name_ru?: string): Promise<number>;
  close(): Promise<void>;
}

const NOW = '2024-06-01T12:00:00Z';
const DAYS = 36;
const OTHERS = ['B', 'C', 'D', 'E'] as const;

export const match = (
  tournament: string,
  day: string,
  home: string,
  away: string,
  over: Partial<Match> = {},
): Match => ({
  id: `${tournament} ${day} ${home} ${away}`,
  sport: 'football',
  tournament: { name: tournament, country: 'INT' },
  season: { label: '2023/24' },
  home: { name: `${tournament} ${home}`, country: 'INT' },
  away: { name: `${tournament} ${away}`, country: 'INT' },
  scheduled_start: `${day}T15:00:00Z`,
  ...over,
});
export const ended = (home: number, away: number): Partial<Match> => ({
  status: 'finished',
  status_detail: 'ended',
  score: { home, away },
});

export async function startWidgets(): Promise<WidgetSite> {
  const service = await startAnalytics(NOW);
  const start: WidgetSite['start'] = (config) =>
    startApp([...widgetRoutes, ...webRoutes], {
      ...service.deps,
      caches: createReplyCaches(service.deps.changes),
      config: { ...testConfig, widgetFrameAncestors: '*', publicSite: false, ...config },
    } as unknown as WidgetDeps &
      WebDeps & {
        config: typeof testConfig;
      });
  const app = await start({});
  return {
    service,
    app,
    start,
    async league(name, name_ru) {
      await service.tournaments({ name, ...(name_ru && { name_ru }), country: 'INT', sport: 'football', tier: 1 });
      const days = Array.from({ length: DAYS }, (_, day) => {
        const on = new Date(Date.parse('2024-01-01') + day * 86_400_000).toISOString().slice(0, 10);
        const [first, second, third] = OTHERS.map((_other, index) => OTHERS[(day + index) % OTHERS.length]!);
        const wins =
          day % 2 === 0 ? match(name, on, 'A', first!, ended(3, 0)) : match(name, on, first!, 'A', ended(0, 3));
        return [wins, match(name, on, second!, third!, ended(1, 1))];
      });
      await service.matches(...days.flat());
      await service.settle();
      return service.idOf('tournament', name);
    },
    async close() {
      await app.close();
      await service.close();
    },
  };
}
