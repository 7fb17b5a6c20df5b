import { type Html, html } from '../html.ts';

/**
 * Link to the contact that the operator has configured.
 * @param url `https:` or `mailto:`; for `mailto:`, the link's text is the mail address
 */
export function contactLink(url: string): Html {
  const address = /^mailto:([^?]+)/.exec(url)?.[1];
  return html`<a href="${url}">${address === undefined ? url : decodedAddress(address)}</a>`;
}

function decodedAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
