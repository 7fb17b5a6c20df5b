/** Fills parts of a page whose analytics were late, at growing intervals. */
import { pause } from '../../client/pause.ts';
import { localTimes } from './times.js';

const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;

const isPending = () => document.querySelector('[data-pending]') !== null;

/** Fetches the page again until no part is pending. Parts without content are replaced too, because they may depend on the same data. */
export async function fillPending() {
  for (let ms = FIRST_MS; isPending(); ms = Math.min(ms * 2, LONGEST_MS)) {
    await pause(ms * (1 + Math.random() / 2));
    if (document.visibilityState !== 'visible') continue;
    const response = await fetch(location.href, { headers: { Accept: 'text/html' }, cache: 'no-store' }).catch(
      () => null,
    );
    if (!response?.ok) continue;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    localTimes(fresh);
    for (const old of document.querySelectorAll('[data-pending], main section[id][hidden]'))
      if (fresh.getElementById(old.id)) old.replaceWith(fresh.getElementById(old.id));
  }
}
