/**
 * Reads and writes the Secrets into which the operator puts keys and tokens. A Secret that the operator has not made
 * is never changed.
 */
import { errorMessage } from '../../src/runtime/unknown-values.ts';
import { isRefusal, isStatus, type KubeObject, type ObjectMeta, SECRETS } from '../runtime/kube-api.ts';
import { GROUP, MANAGED_LABEL, MANAGER } from '../runtime/labels.ts';
import { Fault, type Work } from './kind.ts';

/** Names the resource whose key or token is in the Secret: `<kind>/<name>`. */
const OWNER_ANNOTATION = `${GROUP}/owner`;
/** The revision of the spec with which the key was made. */
const REVISION_ANNOTATION = `${GROUP}/revision`;

interface Secret extends KubeObject {
  metadata: ObjectMeta;
  /** Values in Base64, by key. */
  data?: Record<string, string>;
}

export interface SecretRef {
  name: string;
  key: string;
}

/** The text in a Secret that may be written. */
export interface StoredCredential {
  /** Null if the Secret lacks the key. */
  text: string | null;
  revision: number;
  /** Undefined if the Secret does not exist. */
  resourceVersion: string | undefined;
  /** True if a person has made the Secret for the operator, with the label but without an owner. */
  isOffered: boolean;
}

type SecretWork = Pick<Work<unknown>, 'api' | 'resource' | 'managing' | 'secrets'>;

const ownerText = ({ managing: { kind, name } }: SecretWork) => `${kind}/${name}`;

const notListed = (name: string) =>
  new Fault(
    'SecretNotListed',
    `The operator may not write the Secret ${name}: add it to operator.secrets.names of the Helm release, or set operator.secrets.access to any.`,
  );

/**
 * Reads the Secret of a resource before anything is written into it.
 * @throws {Fault} if the operator may not write the Secret, because it is somebody else's or for lack of rights
 */
export async function readCredential(work: SecretWork, { name, key }: SecretRef): Promise<StoredCredential> {
  const { api, managing, secrets } = work;
  if (secrets !== undefined && !secrets.includes(name)) throw notListed(name);
  let secret: Secret;
  try {
    secret = await api.get<Secret>(SECRETS, managing.namespace, name);
  } catch (error) {
    if (isStatus(error, 404)) return { text: null, revision: 0, resourceVersion: undefined, isOffered: false };
    if (isStatus(error, 403)) throw notListed(name);
    throw error;
  }
  const { labels, annotations, resourceVersion } = secret.metadata;
  const owner = annotations?.[OWNER_ANNOTATION];
  const data = secret.data?.[key];
  if (labels?.[MANAGED_LABEL] !== MANAGER)
    throw new Fault(
      'SecretNotLabelled',
      `The Secret ${name} exists and is not the operator's: name a different one in spec.secretRef, or add the label ${MANAGED_LABEL}=${MANAGER} to have a valid value in ${key} adopted.`,
    );
  if (owner !== undefined && owner !== ownerText(work))
    throw new Fault('SecretTaken', `The Secret ${name} belongs to ${owner}: name a different one in spec.secretRef.`);
  if (owner === undefined && data === undefined)
    throw new Fault('SecretTaken', `The Secret ${name} has a different purpose, since it has no ${key}.`);
  return {
    text: data === undefined ? null : Buffer.from(data, 'base64').toString('utf8').trim(),
    revision: Number(annotations?.[REVISION_ANNOTATION] ?? 0),
    resourceVersion,
    isOffered: owner === undefined,
  };
}

/**
 * Writes a text into the Secret that `readCredential` has read.
 * @throws {Fault} for lack of rights @throws {KubeError} 409 if the Secret has been changed since
 */
export async function writeCredential(
  work: SecretWork,
  { name, key }: SecretRef,
  { text, revision }: { text: string; revision: number },
  { resourceVersion }: Pick<StoredCredential, 'resourceVersion'>,
): Promise<void> {
  const { api, managing } = work;
  const { namespace } = managing;
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: {
      name,
      namespace,
      labels: { [MANAGED_LABEL]: MANAGER },
      annotations: { [OWNER_ANNOTATION]: ownerText(work), [REVISION_ANNOTATION]: String(revision) },
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
    data: { [key]: Buffer.from(text).toString('base64') },
  };
  try {
    if (resourceVersion === undefined) await api.create(SECRETS, namespace, secret);
    else await api.apply(SECRETS, { namespace, name }, secret);
  } catch (error) {
    if (isStatus(error, 403)) throw notListed(name);
    if (isRefusal(error))
      throw new Fault('SecretRefused', `The Secret ${name} cannot be written: ${errorMessage(error)}`);
    throw error;
  }
}

/** Removes the Secret of a resource. Leaves a Secret that belongs to somebody else. */
export async function removeCredential(work: SecretWork, { name }: Pick<SecretRef, 'name'>): Promise<void> {
  const { api, managing } = work;
  try {
    const { metadata } = await api.get<Secret>(SECRETS, managing.namespace, name);
    if (metadata.annotations?.[OWNER_ANNOTATION] !== ownerText(work)) return;
    await api.remove(SECRETS, managing.namespace, name, metadata.uid);
  } catch (error) {
    if (!isStatus(error, 403, 404)) throw error;
  }
}
