/** The role `api`: REST of every feature, and the pages. */
import type { AnalyticsDeps } from '../analytics/deps.ts';
import { routes as analyticsRoutes } from '../analytics/routes.ts';
import { routes as catalogueRoutes } from '../catalogue/routes.ts';
import { routes as competitionRoutes } from '../competitions/routes.ts';
import { bindRoutes, type RouteValue } from '../http/route.ts';
import { routes as matchRoutes } from '../matches/routes.ts';
import { defineRole, depsOf } from '../role.ts';
import { routes as webRoutes } from '../web/routes.ts';

const routes: readonly RouteValue<AnalyticsDeps>[] = [
  ...webRoutes,
  ...catalogueRoutes,
  ...matchRoutes,
  ...competitionRoutes,
  ...analyticsRoutes,
];

export const api = defineRole({
  name: 'api',
  summary: 'REST, the pages and the documentation',
  variables: {},
  secrets: ['secretKeys'],
  needs: ['clickhouse'],
  routes,
  start: async (context) => ({
    routes: bindRoutes(routes, { ...depsOf(context), clickhouse: context.clickhouse }),
  }),
});
