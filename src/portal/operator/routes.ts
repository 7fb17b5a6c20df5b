/** Operator pages, at `/operator`. To add a section, add a file, and a line here. */
import { accounts } from './accounts.ts';
import { approval } from './approval.ts';
import { auditLog } from './audit-log.ts';
import { corrections } from './corrections.ts';
import { pairs } from './pairs.ts';
import { plans } from './plans.ts';
import { operatorRoutes } from './require-second-factor.ts';
import { sessions } from './sessions.ts';
import { sources } from './sources.ts';

export const operatorPages = operatorRoutes([
  accounts,
  sessions,
  plans,
  approval,
  sources,
  corrections,
  pairs,
  auditLog,
]);
