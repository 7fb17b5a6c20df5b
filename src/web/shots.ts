/** The shots of a match, on a pitch. */
import { shotMap } from '../charts/shot-map.ts';
import { type Html, html } from '../http/html.ts';
import { absent } from './layout.ts';
import type { MatchView } from './match-view.ts';
import { TEXTS } from './texts.ts';

type Shot = NonNullable<MatchView['blocks']['shotmap']>[number];

/** `23′ A. Scorer, xG 0.31` */
const shotLabel = ({ minute, player, xg }: Shot) =>
  `${minute === null ? '' : `${minute}′ `}${player.name}${xg === null ? '' : `, xG ${xg.toFixed(2)}`}`;

export function shotsPart({ blocks, lang, names }: MatchView): Html {
  const shots = (blocks.shotmap ?? []).flatMap((shot) => {
    const { side, x, y, xg, shotType } = shot;
    return x === null || y === null ? [] : [{ side, x, y, xg, scored: shotType === 'goal', label: shotLabel(shot) }];
  });
  if (shots.length === 0) return absent('shots');
  const text = TEXTS[lang];
  return html`<section id="shots" class="panel"><h2>${text.shots}</h2><figure>
${shotMap(shots, `${text.shots}: ${names.home}, ${names.away}`, text.shotsText)}
<figcaption><span class="key home">${names.home} →</span> <span class="key away">← ${names.away}</span><br>${text.shotsText}</figcaption></figure></section>`;
}
