/** Draws a side's shirt. */
import { patternShapes } from '../../catalogue/index.ts';
import { type Html, html } from '../../site/html.ts';
import type { TeamColours } from '../../wire/team-colours.ts';

const SHIRT = 'M32 6 10 16 0 42 14 49 22 40V97H78V40L86 49 100 42 90 16 68 6Q50 24 32 6Z';

/** @param id unique in the page */
export const kit = (colours: TeamColours, id: string): Html =>
  html`<svg class="kit" viewBox="-2 2 104 98" aria-hidden="true"><clipPath id="${id}"><path d="${SHIRT}"/></clipPath>
<g clip-path="url(#${id})">${patternShapes(colours).map(({ fill, d }) => html`<path fill="${fill}" d="${d}"/>`)}</g>
<path class="edge" d="${SHIRT}"/></svg>`;
