/** The role `loader`: has the analytical store; what it loads comes with the analytics. */
import { defineRole } from '../role.ts';

export const loader = defineRole({
  name: 'loader',
  summary: 'opens ClickHouse; it loads nothing yet',
  variables: {},
  secrets: [],
  needs: [],
  usesClickHouse: true,
  routes: [],
  start: async () => ({}),
});
