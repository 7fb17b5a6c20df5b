/**
 * Plans as an operator writes them (`PLANS_FILE`, YAML or JSON). plans.yaml contains the built-in plans in the same
 * format.
 */
import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { errorMessage, readMember } from '../../runtime/unknown-values.ts';
import { SPORT_SLUGS } from '../../sports/sports.ts';
import type { MatchAccess } from '../../wire/access.ts';

export const WINDOW_NAMES = ['burst', 'day', 'month'] as const;
/** A burst window lasts a second. Days and months are in UTC. */
export type WindowName = (typeof WINDOW_NAMES)[number];

/** Maximum number of requests in a second, day or calendar month. */
export interface PlanWindow {
  name: WindowName;
  quota: number;
}

/** Per month. */
export interface Price {
  amount: number;
  /** ISO 4217. */
  currency: string;
}

export interface Plan {
  /** A slug, the value that accounts store. */
  name: string;
  title: string;
  price: Price;
  /**
   * The windows that all secret keys in the account share, ordered as in WINDOW_NAMES. A window that is missing has no
   * limit.
   */
  windows: readonly PlanWindow[];
  /**
   * The windows that the publishable keys share. The secret keys have their own, which a visitor who copies a key from
   * a page cannot use up.
   */
  publishableWindows: readonly PlanWindow[];
  /** How much of the publishable windows one client address may use. */
  publishablePerAddress: readonly PlanWindow[];
  /** Maximum number of concurrent streams for all secret keys in the account, SSE and WebSocket together. */
  connections: number;
  /** Maximum number of concurrent streams for the publishable keys, shared by a site's visitors. */
  publishableConnections: number;
  stream: boolean;
  webhooks: boolean;
  /** The matches that the plan includes; null for all. */
  access: MatchAccess | null;
}

export interface Plans {
  /** Ordered as in the file, smallest first. */
  list: readonly Plan[];
  /** Name of the plan that new accounts get. */
  default: string;
}

/** Default number of concurrent streams (spec: the sixth is refused). */
export const CONNECTIONS = 5;

/** Maximum number of plans, configured and declared together. */
export const MAX_PLANS = 100;
const MAX_QUOTA = 1_000_000_000_000;
/** Default per-address limit. One address may use 1/n of the requests in a publishable window, rounded up. */
const ADDRESS_PART: Readonly<Record<WindowName, number>> = { burst: 2, day: 10, month: 10 };
/** Upper limit for a burst. A process cannot answer more requests in a second. */
const MAX_BURST = 1_000_000;
const MAX_CONNECTIONS = 100_000;
const MAX_PRICE = 1_000_000_000;
const MAX_TITLE_LENGTH = 60;
const MAX_TOURNAMENTS = 10_000;

const slug = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a lower-case letter, then up to 31 lower-case letters, digits and dashes');
const quota = (max: number) => z.int('must be a whole number of requests').min(1).max(max).optional();
const quotas = z.strictObject({ burst: quota(MAX_BURST), day: quota(MAX_QUOTA), month: quota(MAX_QUOTA) });
const access = z
  .strictObject({
    sports: z
      .array(z.enum(SPORT_SLUGS, `must be a sport: ${SPORT_SLUGS.join(', ')}`))
      .max(SPORT_SLUGS.length)
      .default([]),
    tournaments: z.array(z.int().min(1).max(Number.MAX_SAFE_INTEGER)).max(MAX_TOURNAMENTS).default([]),
  })
  .refine(
    ({ sports, tournaments }) => sports.length + tournaments.length > 0,
    'names neither a sport nor a tournament',
  );
const plan = z.strictObject({
  name: slug,
  title: z
    .string()
    .trim()
    .min(1)
    .max(MAX_TITLE_LENGTH)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters'),
  price: z
    .strictObject({
      amount: z.number().min(0).max(MAX_PRICE).multipleOf(0.01, 'must have at most two decimals'),
      currency: z.string().regex(/^[A-Z]{3}$/, 'must be a code of ISO 4217, such as EUR'),
    })
    .default({ amount: 0, currency: 'RUB' }),
  windows: quotas.prefault({}),
  publishable_windows: quotas.optional(),
  publishable_per_address: quotas.optional(),
  connections: z.int().min(0).max(MAX_CONNECTIONS).default(CONNECTIONS),
  publishable_connections: z.int().min(0).max(MAX_CONNECTIONS).default(CONNECTIONS),
  stream: z.boolean().default(false),
  webhooks: z.boolean().default(false),
  access: z
    .union([z.literal('all'), access], {
      error: 'must be all, or { sports: […], tournaments: […] } with known sports and ids',
    })
    .default('all'),
});
const file = z.strictObject({
  default: z.string().min(1),
  plans: z.array(plan).min(1, 'has no plan').max(MAX_PLANS),
});

const listed = (given: z.infer<typeof quotas>): PlanWindow[] =>
  WINDOW_NAMES.flatMap((name) => {
    const quota = given[name];
    return quota === undefined ? [] : [{ name, quota }];
  });

function toPlan(given: z.infer<typeof plan>): Plan {
  const { windows, publishable_windows, publishable_per_address, publishable_connections, access, ...rest } = given;
  const publishableWindows = listed(publishable_windows ?? windows);
  return {
    ...rest,
    windows: listed(windows),
    publishableWindows,
    publishablePerAddress:
      publishable_per_address === undefined
        ? publishableWindows.map(({ name, quota }) => ({ name, quota: Math.ceil(quota / ADDRESS_PART[name]) }))
        : listed(publishable_per_address),
    publishableConnections: publishable_connections,
    access: access === 'all' ? null : access,
  };
}

/** `plans.2.windows` -> `plans.starter.windows` if the plan has a name. */
function namedPath(path: readonly PropertyKey[], given: unknown): PropertyKey[] {
  const [section, index, ...rest] = path;
  if (section !== 'plans' || typeof index !== 'number') return [...path];
  const name = ['plans', index, 'name'].reduce<unknown>(readMember, given);
  return [section, typeof name === 'string' ? name.slice(0, 32) : index, ...rest];
}

export type PlanError = { path: PropertyKey[]; message: string };

function contradictions({ default: standard, plans }: z.infer<typeof file>): PlanError[] {
  const names = plans.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) < index);
  const faults: PlanError[] = [...new Set(twice)].map((name) => ({
    path: ['plans', name, 'name'],
    message: 'is the name of several plans',
  }));
  if (!names.includes(standard))
    faults.push({ path: ['default'], message: `must be the name of one of the plans: ${names.join(', ')}` });
  return faults;
}

/**
 * For an invalid access, zod's union error says only that no variant fits. Returns the more specific errors from the
 * longer variant.
 */
function specific(issue: z.core.$ZodIssue): PlanError[] {
  const { path, message } = issue;
  const inner =
    issue.code === 'invalid_union' ? issue.errors.find((one) => one.some((at) => at.path.length > 0)) : null;
  if (inner == null) return [{ path, message }];
  return inner.map((one) => ({ path: [...path, ...one.path], message: one.message }));
}

/** Parses one entry of the list `plans`. @returns the plan, or every fault with its field */
export function parsePlan(given: unknown): Plan | PlanError[] {
  const parsed = plan.safeParse(given);
  return parsed.success ? toPlan(parsed.data) : parsed.error.issues.flatMap(specific);
}

/** Parses a file's text, and reports every fault with the plan and the field. */
export const plansText = z.string().transform((text, ctx): Plans => {
  const report = (faults: readonly PlanError[]): never => {
    for (const { path, message } of faults) ctx.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  };
  const document = parseDocument(text);
  if (document.errors.length > 0)
    return report(document.errors.map(({ message }) => ({ path: [], message: `not YAML: ${message.split('\n')[0]}` })));
  let given: unknown;
  try {
    given = document.toJS();
  } catch (error) {
    return report([{ path: [], message: `not YAML: ${errorMessage(error)}` }]);
  }
  const parsed = file.safeParse(given);
  if (!parsed.success)
    return report(
      parsed.error.issues.flatMap(specific).map(({ path, message }) => ({ path: namedPath(path, given), message })),
    );
  const faults = contradictions(parsed.data);
  if (faults.length > 0) return report(faults);
  return { list: parsed.data.plans.map(toPlan), default: parsed.data.default };
});

/** Plans used without PLANS_FILE. */
export const BUILT_IN: Plans = plansText.parse(
  readFileSync(new URL('../../../data/plans.yaml', import.meta.url), 'utf8'),
);
