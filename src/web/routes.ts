import type { Route } from '../deps.ts';

export const routes: Route[] = [];
