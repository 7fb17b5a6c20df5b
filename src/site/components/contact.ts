import { type Html, html } from '../html.ts';

/** Link to whoever the operator names. @param url `https:` or `mailto:`, which shows the address alone */
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
