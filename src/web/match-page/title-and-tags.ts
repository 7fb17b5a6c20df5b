/** A match page's title, and the tags that search engines and chats read. */
import { type Html, html, jsonLd } from '../../site/html.ts';
import { roundText } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { pathOfMatch } from '../match-rows.ts';
import { type PageOptions, shareTags } from '../page-options.ts';
import { teamPath } from '../paths.ts';
import { sharePicturePath } from '../share-pictures/address.ts';
import { nameOf, picturePath, scoreText, sideOf, statusText } from '../status-text.ts';
import type { MatchView } from './match-view.ts';

/** The score comes first, so that it is visible in a browser tab. */
export function titleOf({ item, names, lang }: Pick<MatchView, 'item' | 'names' | 'lang'>): string {
  const [home, away] = [scoreText(item, 'home', lang), scoreText(item, 'away', lang)];
  const teams = `${names.home} – ${names.away}`;
  return home === null || away === null || item.status === 'scheduled' ? teams : `${home}:${away} ${teams}`;
}

/** schema.org's `eventStatus` by status detail. Details that are not listed are EventScheduled. */
const EVENT_STATUS: Record<string, string> = {
  postponed: 'EventPostponed',
  cancelled: 'EventCancelled',
};

export function matchTags(view: MatchView, options: PageOptions): Html {
  const { item, detail, lang } = view;
  const path = pathOfMatch(item);
  const round = item.round_name ?? item.extra.round;
  const description = [
    `${item.tournament} ${item.extra.season}`,
    round && roundText(round, lang),
    statusText(item, lang) ?? item.scheduled_start.slice(0, 10),
  ]
    .filter(Boolean)
    .join(' · ');
  const picture = sharePicturePath({ kind: 'match', id: item.id, version: view.version, lang });
  return html`${shareTags({ path, title: titleOf(view), description, picture }, options)}
${jsonLd(sportsEvent(view, path, detail.venue_city, options))}`;
}

/** https://schema.org/SportsEvent */
function sportsEvent(
  { item, names }: MatchView,
  path: string,
  city: string | null,
  { baseUrl, lang }: PageOptions,
): object {
  const sport = findSport(item.sport);
  const team = (side: 'home' | 'away') => {
    const one = sideOf(item, side);
    return {
      '@type': 'SportsTeam',
      name: names[side],
      url: `${baseUrl}/${teamPath(one.participant_id, one.name)}`,
      logo: `${baseUrl}/${picturePath(one)}`,
    };
  };
  const [home, away] = [team('home'), team('away')];
  return {
    '@context': 'https://schema.org',
    '@type': 'SportsEvent',
    name: `${names.home} – ${names.away}`,
    url: `${baseUrl}/${path}`,
    startDate: item.time_tbd ? item.scheduled_start.slice(0, 10) : item.scheduled_start,
    eventStatus: `https://schema.org/${EVENT_STATUS[item.status_detail] ?? 'EventScheduled'}`,
    ...(sport && { sport: nameOf(sport, lang) }),
    homeTeam: home,
    awayTeam: away,
    competitor: [home, away],
    superEvent: { '@type': 'EventSeries', name: `${item.tournament} ${item.extra.season}` },
    ...(item.venue !== null && {
      location: {
        '@type': 'StadiumOrArena',
        name: item.venue,
        ...(city !== null && { address: { '@type': 'PostalAddress', addressLocality: city } }),
      },
    }),
  };
}
