/** League profile: scores per match, and how frequent each outcome is. */
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../../site/html.ts';
import { shareBar } from '../../site/plots/index.ts';
import { dateText, decimalText, fill, percentText, TEXTS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { pendingPart } from '../match-analytics/analytics-parts.ts';
import { perMatchText } from '../sport-figures.ts';
import type { Profile } from './read-tournament-page.ts';

export function profilePart(profile: Profile, sport: string, { lang }: { lang: Lang }): Html {
  const text = TEXTS[lang].catalogue;
  if (typeof profile === 'string') return pendingPart('profile', text.profile, profile, lang);
  if (profile === null || profile.matches === 0) return html``;
  const { window_from, window_to } = profile;
  const decimal = (value: number | null) => (value === null ? '–' : decimalText(value, lang));
  const part = (name: string, share: number | null) =>
    share !== null &&
    html`<div><dt>${name}</dt><dd>${percentText(share)}</dd>${shareBar([
      { share, kind: 'level' },
      { share: 100 - share, kind: 'none' },
    ])}</div>`;
  const { home_win_pct: home, draw_pct: draw, away_win_pct: away } = profile;
  return html`<section id="profile" class="panel"><h2>${text.profile}</h2>
<p class="note">${fill(text.profileWindow, {
    matches: profile.matches.toLocaleString(lang),
    from: window_from === null ? '' : dateText(window_from, lang),
    to: window_to === null ? '' : dateText(window_to, lang),
  })}</p>
<dl class="facts">
<div><dt>${perMatchText(sport, lang)}</dt><dd>${decimal(profile.avg_goals)}</dd></div>
<div><dt>${perMatchText(sport, lang, 'home')}</dt><dd>${decimal(profile.avg_home_goals)}</dd></div>
<div><dt>${perMatchText(sport, lang, 'away')}</dt><dd>${decimal(profile.avg_away_goals)}</dd></div>
</dl>
${
  home !== null &&
  draw !== null &&
  away !== null &&
  html`<h3>${text.outcomes}</h3><ul class="outcomes">
<li><b>${percentText(home)}</b> ${text.homeWin}</li>
${(draw > 0 || findSport(sport)?.draws !== false) && html`<li><b>${percentText(draw)}</b> ${text.draw}</li>`}
<li><b>${percentText(away)}</b> ${text.awayWin}</li>
</ul>
${shareBar([
  { share: home, kind: 'home' },
  { share: draw, kind: 'level' },
  { share: away, kind: 'away' },
])}`
}
${
  findSport(sport)?.page.goalShares &&
  html`<dl class="likelihoods">
${part(text.over25, profile.over_2_5_pct)}
${part(text.over35, profile.over_3_5_pct)}
${part(text.bothScore, profile.btts_pct)}
</dl>`
}</section>`;
}
