/** The role `api`: REST of every feature, and the pages. */
import { routes as analyticsRoutes } from '../analytics/routes.ts';
import { routes as catalogueRoutes } from '../catalogue/routes.ts';
import { routes as competitionRoutes } from '../competitions/routes.ts';
import type { Route } from '../deps.ts';
import { bindRoutes } from '../http/route.ts';
import { routes as matchRoutes } from '../matches/routes.ts';
import { defineRole, depsOf } from '../role.ts';
import { routes as webRoutes } from '../web/routes.ts';

const plainRoutes: readonly Route[] = [...webRoutes, ...catalogueRoutes, ...matchRoutes, ...competitionRoutes];
const routes = [...plainRoutes, ...analyticsRoutes];

export const api = defineRole({
  name: 'api',
  summary: 'REST, the pages and the documentation',
  variables: {},
  secrets: ['secretKeys'],
  needs: ['clickhouse'],
  routes,
  start: async (context) => {
    const deps = depsOf(context);
    return {
      routes: [
        ...bindRoutes(plainRoutes, deps),
        ...bindRoutes(analyticsRoutes, { ...deps, clickhouse: context.clickhouse }),
      ],
    };
  },
});
