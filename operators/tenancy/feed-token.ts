/** The resource `FeedToken`, which writes a provider's feed token into a Secret. */
import { z } from 'zod';
import { findOwned, ownTarget, resourceActor } from '../../src/accounts/index.ts';
import { transaction } from '../../src/db/postgres.ts';
import {
  endFeedToken,
  findFeedToken,
  insertFeedToken,
  isUsable,
  revokeFeedToken,
  type StoredToken,
} from '../../src/feed/feed-tokens.ts';
import { SPORT_SLUGS } from '../../src/sports/sports.ts';
import { listSet, NAME_CHARACTERS, rules, secretKey, secretName } from '../runtime/crd.ts';
import { readCredential, removeCredential, type StoredCredential, writeCredential } from './credential-secret.ts';
import { commonSpec, defineKind, Fault, type Outcome, type Work } from './kind.ts';

const spec = z
  .strictObject({
    provider: z.string().min(1).max(50).meta({ description: 'The provider that updates with the token must name.' }),
    sports: z
      .array(z.string().min(1).max(32))
      .max(SPORT_SLUGS.length)
      .default([])
      .meta({
        description: 'The only sports that the updates may have; empty: all.',
        ...listSet,
      }),
    signed: z.boolean().default(false).meta({
      description: 'True if the token signs requests instead of being sent with them.',
    }),
    revision: z.int().min(0).max(1_000_000_000).default(0).meta({
      description: 'A number. If it is changed, a new token replaces the token, which ends at once.',
    }),
    secretRef: z
      .strictObject({
        name: secretName.optional().meta({
          description: 'The name of the Secret; default: <name of this resource>-feed-token.',
        }),
        key: secretKey.default('token').meta({ description: 'The key in the Secret.' }),
      })
      .default({ key: 'token' })
      .meta({ description: 'The Secret into which the operator writes the token. The operator makes it.' }),
    ...commonSpec,
  })
  .meta(
    rules({
      rule: 'self.provider == oldSelf.provider && self.signed == oldSelf.signed && self.sports == oldSelf.sports',
      message: 'provider, sports and signed are immutable: create another resource',
    }),
  );
type Spec = z.output<typeof spec>;

const toSecretRef = ({ metadata, spec: { secretRef } }: Work<Spec>['resource']) => ({
  name: secretRef.name ?? `${metadata.name}-feed-token`,
  key: secretRef.key,
});

const listed = (sports: readonly string[]) => (sports.length === 0 ? null : sports);
const isSameToken = ({ provider, sports, secret }: StoredToken, wanted: Spec) =>
  provider === wanted.provider &&
  (secret !== null) === wanted.signed &&
  [...(sports ?? [])].sort().join() === [...wanted.sports].sort().join();

/**
 * Makes a token, records that the resource owns it, and writes it into the Secret. The former token ends first, since
 * nothing would know it any more if the process ended before the Secret is written.
 * @returns the token's id
 */
async function issue(work: Work<Spec>, stored: StoredCredential, former: number | null): Promise<number> {
  const { pool, managing, resource } = work;
  const { provider, sports, signed, revision } = resource.spec;
  const wanted = { provider, sports: listed(sports), signs: signed };
  const { id, token } = await transaction(pool, async (db) => {
    if (former !== null && (await isUsable(db, former)))
      await endFeedToken(db, work.clock, former, resourceActor(managing));
    const made = await insertFeedToken(db, work, wanted, resourceActor(managing));
    await ownTarget(db, managing, made.id);
    return made;
  });
  await writeCredential(work, toSecretRef(resource), { text: token, revision }, stored);
  return id;
}

/** Lets the resource own a token that a person has put into the Secret. @throws {Fault} if it is a different one */
async function adopt(work: Work<Spec>, found: StoredToken | null, stored: StoredCredential): Promise<number> {
  const { pool, managing, resource } = work;
  if (found === null || found.isRevoked || !isSameToken(found, resource.spec))
    throw new Fault(
      'TokenNotAdopted',
      'The Secret does not hold a usable feed token with the provider, the sports and the signature of the spec.',
    );
  await transaction(pool, (db) => ownTarget(db, managing, found.id));
  const { revision } = resource.spec;
  await writeCredential(work, toSecretRef(resource), { text: stored.text!, revision }, stored);
  return found.id;
}

async function apply(work: Work<Spec>): Promise<Outcome> {
  const { pool, managing, resource } = work;
  const secret = toSecretRef(resource);
  const stored = await readCredential(work, secret);
  const owned = await findOwned(pool, managing.uid);
  const found = stored.text === null ? null : await findFeedToken(pool, stored.text);
  const details = { provider: resource.spec.provider, secret: secret.name };
  if (owned === null) {
    if (!stored.isOffered) return { details: { ...details, tokenId: await issue(work, stored, null) }, done: [] };
    const id = await adopt(work, found, stored);
    return {
      details: { ...details, tokenId: id },
      done: [['Adopted', `The feed token ${id} existed and is managed by this resource from now on.`]],
    };
  }
  const id = Number(owned.target);
  const isUnchanged = found?.id === id && !found.isRevoked && stored.revision === resource.spec.revision;
  if (isUnchanged) return { details: { ...details, tokenId: id }, done: [] };
  const next = await issue(work, stored, id);
  return {
    details: { ...details, tokenId: next },
    done: [['TokenReplaced', `The feed token ${next} has replaced ${id}.`]],
  };
}

export const feedToken = defineKind<Spec>({
  kind: 'FeedToken',
  plural: 'feedtokens',
  shortName: 'tlf',
  description: 'Writes a token with which one provider may send updates into a Secret.',
  columns: [
    { name: 'Provider', type: 'string', jsonPath: '.spec.provider' },
    { name: 'Secret', type: 'string', jsonPath: '.status.secret' },
  ],
  details: {
    tokenId: z.int().optional().meta({ description: 'The id of the token in the service.' }),
    provider: z.string().max(50).optional().meta({ description: 'The provider of the token.' }),
    secret: z.string().max(NAME_CHARACTERS).optional().meta({ description: 'The Secret that holds the token.' }),
  },
  spec,
  apply,
  async remove(work, { target }) {
    const { pool, managing, resource } = work;
    const id = Number(target);
    if (await isUsable(pool, id)) await revokeFeedToken(work, id, resourceActor(managing));
    await removeCredential(work, toSecretRef(resource));
  },
});
