/** Small parts that several tabs of a tournament's page share. */
import { type Html, html } from '../../site/html.ts';

export const tab = (address: string, name: string, isShown: boolean): Html =>
  html`<a href="${address}"${isShown && html` aria-current="true"`}>${name}</a>`;

export const nonePart = (id: string, title: string, note: string): Html =>
  html`<section id="${id}" class="panel"><h2>${title}</h2><p class="note">${note}</p></section>`;
