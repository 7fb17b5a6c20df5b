/** A match's shots on a pitch. */

import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { shotMap } from '../../site/plots/index.ts';
import { TEXTS } from '../../site/texts/index.ts';
import type { MatchView } from './match-view.ts';

type Shot = NonNullable<MatchView['blocks']['shotmap']>[number];

/** Formats a shot as `23′ A. Scorer, xG 0.31`. */
const shotLabel = ({ minute, player, xg }: Shot) =>
  `${minute === null ? '' : `${minute}′ `}${player.name}${xg === null ? '' : `, xG ${xg.toFixed(2)}`}`;

export function shotsPart({ blocks, lang, names }: MatchView): Html {
  const shots = (blocks.shotmap ?? []).flatMap((shot) => {
    const { side, x, y, xg, shotType } = shot;
    return x === null || y === null ? [] : [{ side, x, y, xg, scored: shotType === 'goal', label: shotLabel(shot) }];
  });
  if (shots.length === 0) return absent('shots');
  const text = TEXTS[lang].pages;
  return html`<section id="shots" class="panel"><h2>${text.shots}</h2><figure>
${shotMap(shots, `${text.shots}: ${names.home}, ${names.away}`, text.shotsText)}
<figcaption><span class="key home">${names.home} →</span>
<span class="key away">← ${names.away}</span><br>${text.shotsText}</figcaption></figure></section>`;
}
