/** Removes secrets from URLs for logs and traces. */
import { withoutSecrets } from '../wire/secret-formats.ts';
import { withoutKeys } from './hidden-keys.ts';

/** Parameters that hold a key, the token from a link that works once, or what an identity provider has answered. */
const SECRET_NAMES = new Set(['key', 'token', 'invitation', 'code', 'state', 'error_description']);

function isSecretName(name: string): boolean {
  if (SECRET_NAMES.has(name)) return true;
  if (!name.includes('%')) return false;
  try {
    return SECRET_NAMES.has(decodeURIComponent(name));
  } catch {
    return true;
  }
}

/**
 * Returns the URL for the log. The values of secret parameters are removed, even if their names are encoded. Anything else that looks like a key is removed as well, in any encoding.
 */
export function redactUrl(url: string): string {
  const start = url.indexOf('?');
  // The path is searched as a whole first, because webhook secrets contain slashes.
  const segments = withoutSecrets(start === -1 ? url : url.slice(0, start)).split('/');
  const path = segments.map(withoutKeys).join('/');
  if (start === -1) return path;
  const pairs = url.slice(start + 1).split('&');
  const safe = pairs.map((pair) => {
    const [name = ''] = pair.split('=', 1);
    return isSecretName(name) ? `${withoutKeys(name)}=***` : withoutKeys(pair);
  });
  return `${path}?${safe.join('&')}`;
}
