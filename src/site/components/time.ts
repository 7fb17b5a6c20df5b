import { wireTime } from '../../wire/time.ts';
import { type Html, html } from '../html.ts';

/** The heading of such a time says that it is in UTC, so that the script leaves it as it is. */
const time = (at: Date | string, length: number): Html => {
  const text = wireTime(new Date(at).getTime());
  return html`<time datetime="${text}" data-utc>${text.slice(0, length).replace('T', ' ')}</time>`;
};

/** Shows a time in UTC, to the minute. */
export const dateTime = (at: Date | string): Html => time(at, 'YYYY-MM-DDTHH:MM'.length);

/** Shows a time in UTC, to the second, as logs do. */
export const logTime = (at: Date | string): Html => time(at, 'YYYY-MM-DDTHH:MM:SS'.length);

/** Shows a time to the minute, and says that it is in UTC. */
export const utcTime = (at: Date | string): Html => html`${dateTime(at)} UTC`;
