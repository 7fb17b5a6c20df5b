/** What the kinds of tenancy resources have in common: the shape of a resource, and how a kind is reconciled. */
import type pg from 'pg';
import { z } from 'zod';
import type { ManagingResource, Ownership } from '../../src/accounts/index.ts';
import type { OfferedPlans, Plans } from '../../src/accounts/plans/index.ts';
import { Problem } from '../../src/http/index.ts';
import type { PolledProvider } from '../../src/polling/config.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { type Column, conditionColumn, conditionsSchema, type Definition, NAME_CHARACTERS } from '../runtime/crd.ts';
import type { Api, KubeObject, ObjectMeta, Resource } from '../runtime/kube-api.ts';
import { GROUP } from '../runtime/labels.ts';

const VERSION = 'v1beta1';

/**
 * `Ready` is True if the spec is applied. `Stalled` is True if a person has to repair something, as kstatus defines
 * it: a tool that waits for the resource then fails at once.
 */
export const CONDITIONS = ['Ready', 'Stalled'] as const;

/** Fields in the spec of each kind. */
export const commonSpec = {
  deletionPolicy: z.enum(['Retain', 'Delete']).default('Retain').meta({
    description: 'Retain: what the resource declares stays when the resource is deleted. Delete: it is deleted, too.',
  }),
};

const commonStatus = {
  observedGeneration: z.int().min(0).optional(),
  installation: z.string().max(NAME_CHARACTERS).optional().meta({
    description: 'The installation that serves the resource: <namespace>/<name>.',
  }),
  reason: z.string().max(64).optional().meta({ description: 'The reason of Ready.' }),
  conditions: conditionsSchema(CONDITIONS),
};

const anyStatus = z.object(commonStatus);
export type Status = z.output<typeof anyStatus>;
/** Fields in the status of one kind. */
export type Details = Readonly<Record<string, string | number | undefined>>;

export interface Declared<Spec = unknown> extends KubeObject {
  metadata: ObjectMeta & { generation: number; finalizers?: string[] };
  spec: Spec;
  status?: Status;
}

/** Why a spec cannot be applied. The message never contains a secret. */
export class Fault extends Error {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The reason of a resource in a namespace without an Account. */
export const NO_ACCOUNT = 'NoAccount';

const pascalCase = (code: string) => code.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** @returns what is wrong with the spec; null if the spec is not what caused the error */
export function toFault(error: unknown): Fault | null {
  if (error instanceof Fault) return error;
  if (!(error instanceof Problem) || error.code === 'unavailable') return null;
  return new Fault(pascalCase(error.options.errors?.[0]?.code ?? error.code), error.message);
}

export interface TenancyDeps {
  api: Api;
  pool: pg.Pool;
  clock: Clock;
  plans: OfferedPlans;
  /** The plans of PLANS_FILE, which cannot be resources. */
  configuredPlans: Plans;
  /** The sources in PROVIDERS, which cannot be resources. */
  configuredSources: readonly PolledProvider[];
  secretKeys: readonly string[];
  /** Names of the Secrets that may be read and written. If undefined, RBAC decides. */
  secrets: readonly string[] | undefined;
}

/** A resource as the database knows it. */
export interface Work<Spec> extends TenancyDeps {
  resource: Declared<Spec>;
  managing: ManagingResource;
}

export interface Outcome {
  /** Shown in the status. */
  details: Details;
  /** The changes that are recorded as Events: reason and message. */
  done: [reason: string, message: string][];
  /** Milliseconds until something is due, such as a rotation. */
  dueMs?: number;
}

export interface Kind<Spec extends { deletionPolicy: 'Retain' | 'Delete' } = { deletionPolicy: 'Retain' | 'Delete' }> {
  resource: Resource;
  definition: Definition;
  spec: z.ZodType<Spec>;
  /** Brings the database in line with a spec. Every step can be repeated. @throws {Fault} @throws {Problem} */
  apply(work: Work<Spec>): Promise<Outcome>;
  /** Deletes what a resource owns. @throws {Fault} @throws {Problem} if it cannot be deleted yet */
  remove(work: Work<Spec>, owned: Ownership): Promise<void>;
}

interface KindOptions<Spec extends { deletionPolicy: 'Retain' | 'Delete' }>
  extends Pick<Kind<Spec>, 'spec' | 'apply' | 'remove'> {
  kind: ManagingResource['kind'];
  plural: string;
  shortName: string;
  description: string;
  columns: readonly Column[];
  /** Fields of the status. */
  details: Record<string, z.ZodType>;
}

/** Defines a kind, with the CustomResourceDefinition. */
export function defineKind<Spec extends { deletionPolicy: 'Retain' | 'Delete' }>(
  options: KindOptions<Spec>,
): Kind<Spec> {
  const { kind, plural, shortName, description, columns, details, spec, apply, remove } = options;
  return {
    resource: { group: GROUP, version: VERSION, plural, kind },
    definition: {
      kind,
      plural,
      shortName,
      description,
      versions: [VERSION],
      storedVersion: VERSION,
      columns: [...columns, conditionColumn('Ready'), { name: 'Reason', type: 'string', jsonPath: '.status.reason' }],
      spec,
      status: z.strictObject({ ...commonStatus, ...details }),
    },
    spec,
    apply,
    remove,
  };
}
