/** Shots drawn on a pitch: the home side attacks to the right, the visitors to the left. */
import { type Html, html } from './html.ts';
import { absent } from './layout.ts';
import type { MatchView } from './match-view.ts';
import { TEXTS } from './texts.ts';

/** Metres. */
const LENGTH = 105;
const WIDTH = 68;
const MIN_RADIUS = 0.8;
const RADIUS_OF_A_SURE_GOAL = 3.4;

const pitch = html`<g class="pitch"><rect x="0" y="0" width="105" height="68"/><path d="M52.5 0V68M0 13.84H16.5V54.16H0M105 13.84H88.5V54.16H105M0 24.84H5.5V43.16H0M105 24.84H99.5V43.16H105"/><circle cx="52.5" cy="34" r="9.15"/></g>`;

export function shotsPart({ blocks, lang, names }: MatchView): Html {
  const shots = (blocks.shotmap ?? []).filter((shot) => shot.x !== null && shot.y !== null);
  if (shots.length === 0) return absent('shots');
  const text = TEXTS[lang];
  const place = ({ side, x, y }: (typeof shots)[number]) => {
    const [along, across] = [(x! / 100) * LENGTH, (y! / 100) * WIDTH];
    return side === 'home' ? { x: along, y: across } : { x: LENGTH - along, y: WIDTH - across };
  };
  const dots = shots.map((shot) => {
    const { x, y } = place(shot);
    const radius = Math.max(MIN_RADIUS, Math.sqrt(shot.xg ?? 0.02) * RADIUS_OF_A_SURE_GOAL);
    const title = `${shot.minute === null ? '' : `${shot.minute}′ `}${shot.player.name}${shot.xg === null ? '' : `, xG ${shot.xg.toFixed(2)}`}`;
    return html`<circle class="${shot.side} ${shot.shotType === 'goal' ? 'goal' : 'try'}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius.toFixed(2)}"><title>${title}</title></circle>`;
  });
  return html`<section id="shots" class="panel"><h2>${text.shots}</h2><figure>
<svg class="shots" viewBox="-1 -1 107 70" role="img" aria-label="${`${text.shots}: ${names.home}, ${names.away}`}">${pitch}${dots}</svg>
<figcaption><span class="key home">${names.home} →</span> <span class="key away">← ${names.away}</span><br>${text.shotsText}</figcaption></figure></section>`;
}
