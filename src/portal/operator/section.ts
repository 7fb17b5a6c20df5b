/** An operator page is a value. Each file has the pages of one section, and routes.ts lists the sections. */
import type { Actor } from '../../accounts/index.ts';
import type { Lang, RouteValue } from '../../http/index.ts';
import type { PortalDeps } from '../deps.ts';
import type { Visitor, VisitorPage } from '../visit.ts';

/** An operator who has entered a second-factor code recently. */
export interface Operator extends Visitor {
  /** Actor for entries in the audit log of the account that is changed. */
  actor: Actor;
}

type PageValue<P, Q> = VisitorPage<Operator, P, Q>;

/** Makes a route from a page that only operators see. */
export type Guard = <P, Q>(page: PageValue<P, Q>) => RouteValue<PortalDeps>;

/** A page that has not been guarded yet. Only the page itself knows its parameter types. */
export type OperatorPage = (guard: Guard) => RouteValue<PortalDeps>;

/** Infers a page's types from the schemas. */
export const operatorPage =
  <P = Record<string, never>, Q = Record<string, never>>(page: PageValue<P, Q>): OperatorPage =>
  (guard) =>
    guard(page);

export interface OperatorSection {
  /** `audit` for `/operator/audit` and the pages below it; `` for `/operator`. */
  path: string;
  /** Title in the navigation. */
  title: (lang: Lang) => string;
  pages: readonly OperatorPage[];
}
