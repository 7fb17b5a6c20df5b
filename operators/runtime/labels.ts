/** The API group, and the labels and annotations that all resources share. */
import type { ObjectMeta } from './kube-api.ts';

export const GROUP = 'touchline.dev';
export const MANAGED_LABEL = 'app.kubernetes.io/managed-by';
export const MANAGER = 'touchline-operator';
/** If a resource or a dispatcher Deployment has this annotation, the operator leaves it unchanged. */
const PAUSE_ANNOTATION = `${GROUP}/pause-reconciliation`;

export const isPaused = ({ metadata }: { metadata: Pick<ObjectMeta, 'annotations'> }): boolean =>
  metadata.annotations?.[PAUSE_ANNOTATION] === 'true';
