/** Dependencies of the routes for agents. */
import type { Deps } from '../deps.ts';
import { routeFor } from '../http/index.ts';
import type { AgentConfig } from './config.ts';

export type AgentDeps = Omit<Deps, 'config'> & { config: Deps['config'] & AgentConfig };
export const route = routeFor<AgentDeps>();
