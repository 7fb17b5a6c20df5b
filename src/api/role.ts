/** The role `api`: REST of every feature, and the pages. */
import { routes as catalogueRoutes } from '../catalogue/routes.ts';
import { routes as competitionRoutes } from '../competitions/routes.ts';
import { routes as matchRoutes } from '../matches/routes.ts';
import { defineRole } from '../role.ts';
import { routes as webRoutes } from '../web/routes.ts';

export const api = defineRole({
  name: 'api',
  summary: 'REST, the pages and the documentation',
  variables: {},
  secrets: ['secretKeys'],
  needs: [],
  usesClickHouse: true,
  routes: [...webRoutes, ...catalogueRoutes, ...matchRoutes, ...competitionRoutes],
  start: async () => ({ provides: {} }),
});
