/** Shots on a football pitch. The home side attacks to the right, the away side to the left. */
import { type Html, html } from '../html.ts';

/** Length in metres. */
const LENGTH = 105;
const WIDTH = 68;
const MIN_RADIUS = 0.8;
const RADIUS_OF_A_SURE_GOAL = 3.4;
/** Expected goals that determine the size of a shot whose value is unknown. */
const UNKNOWN_XG = 0.02;

export interface Shot {
  side: 'home' | 'away';
  /** Percent of the pitch's length, towards the goal that the side attacks. */
  x: number;
  /** Percent of the pitch's width, counted from the attacking side's left. */
  y: number;
  /** Expected goals, 0 to 1. */
  xg: number | null;
  scored: boolean;
  /** Tooltip, also read by screen readers. */
  label: string;
}

const PITCH = html`<g class="pitch">
<rect x="0" y="0" width="105" height="68"/>
<path d="M52.5 0V68M0 13.84H16.5V54.16H0M105 13.84H88.5V54.16H105M0 24.84H5.5V43.16H0M105 24.84H99.5V43.16H105"/>
<circle cx="52.5" cy="34" r="9.15"/></g>`;

/** Draws a shot. Its area is proportional to its expected goals, and its colour comes from the page's style sheet. */
function dot({ side, x, y, xg, scored, label }: Shot): Html {
  const [along, across] = [(x / 100) * LENGTH, (y / 100) * WIDTH];
  const [cx, cy] = side === 'home' ? [along, across] : [LENGTH - along, WIDTH - across];
  const radius = Math.max(MIN_RADIUS, Math.sqrt(xg ?? UNKNOWN_XG) * RADIUS_OF_A_SURE_GOAL);
  return html`<circle class="${side} ${scored ? 'goal' : 'try'}" cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${radius.toFixed(2)}">
<title>${label}</title></circle>`;
}

/**
 * Draws a page element.
 * @param title says what the map shows
 * @param description says how to read it
 */
export function shotMap(shots: readonly Shot[], title: string, description: string): Html {
  return html`<svg class="shots" viewBox="-1 -1 107 70" role="img" aria-label="${title}"><desc>${description}</desc>
${PITCH}${shots.map(dot)}</svg>`;
}
