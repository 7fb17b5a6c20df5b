/**
 * A team's or tournament's matches as a widget. It shows matches in progress and upcoming ones. If there are none, it shows the latest
 * results.
 */
import { findParticipantName, findSeasonLabel } from '../catalogue/index.ts';
import { findSeason } from '../competitions/index.ts';
import type { Queryable } from '../db/postgres.ts';
import { invalidParameters } from '../http/index.ts';
import { type FixtureScope, listFixtures } from '../matches/index.ts';
import { html } from '../site/html.ts';
import { TEXTS } from '../site/texts/index.ts';
import { nameOf } from '../web/index.ts';
import { DAY_MS, utcDay } from '../wire/time.ts';
import { roundOf } from './live.ts';
import { matchList } from './match-rows.ts';
import { pageLink, type WidgetOptions, widgetPage } from './page.ts';
import { missing, ONE_OF } from './problem-page.ts';
import { refreshSeconds } from './refresh-interval.ts';
import { requireTournamentName } from './tournament-name.ts';

/**
 * For this many days after its start, an unfinished match is still shown. This is long enough for any cricket match, and shows postponed
 * matches for a while.
 */
const UNFINISHED_DAYS = 7;

interface FixturesQuery extends WidgetOptions {
  tournament?: number | undefined;
  team?: number | undefined;
  season?: number | undefined;
  /** Maximum number of matches. */
  limit: number;
}

interface Subject {
  name: string;
  /** Path of the team's or tournament's page, relative to the root. */
  path: string;
  season: string | null;
  scope: FixtureScope;
}

/** @param now ms since 1970 @throws {Problem} invalid_parameter, not_found */
export async function fixturesWidget(db: Queryable, query: FixturesQuery, now: number): Promise<string> {
  const { lang, theme, title, limit } = query;
  const { name, path, season, scope } = await findSubject(db, query, now);
  const text = TEXTS[lang].widgets;
  const ahead = await listFixtures(db, 'ahead', scope, new Date(now - UNFINISHED_DAYS * DAY_MS), limit);
  const shown = ahead.length > 0 ? ahead : await listFixtures(db, 'results', scope, new Date(now), limit);
  const matches = shown.map(({ item, tournament_name_ru }) => {
    const tournament = nameOf({ name: item.tournament, name_ru: tournament_name_ru }, lang);
    const round = roundOf(item, lang);
    return { item, note: scope.kind === 'team' ? [tournament, round].filter(Boolean).join(' · ') : round };
  });
  const kind = ahead.length === 0 && shown.length > 0 ? text.results : text.fixtures;
  return widgetPage({
    lang,
    theme,
    heading: {
      text: pageLink(path, name, query),
      title: name,
      note: [season, kind].filter(Boolean).join(' · '),
      hidden: !title,
    },
    body: matches.length === 0 ? html`<p class="note">${text.noMatches}</p>` : matchList(matches, { ...query, now }),
    refresh: refreshSeconds(
      matches.map(({ item }) => item),
      now,
    ),
  });
}

async function findSubject(db: Queryable, query: FixturesQuery, now: number): Promise<Subject> {
  const { tournament, team } = query;
  if (tournament !== undefined && team === undefined) return findTournament(db, query, tournament, now);
  if (team !== undefined && tournament === undefined) return findTeam(db, query, team, now);
  throw invalidParameters(
    ['tournament', 'team'].map((parameter) => ({
      parameter,
      code: ONE_OF,
      detail: 'either tournament or team is required',
    })),
  );
}

async function findTournament(
  db: Queryable,
  { season, lang }: FixturesQuery,
  id: number,
  now: number,
): Promise<Subject> {
  const name = await requireTournamentName(db, id, lang);
  const path = `tournament/${id}`;
  if (season === undefined) return { name, path, season: null, scope: { kind: 'tournament', id } };
  const found = await findSeason(db, id, season, utcDay(now));
  if (found === null) throw missing('season', `Tournament ${id} has no season ${season}.`);
  return { name, path, season: found.season_label, scope: { kind: 'season', id: season } };
}

async function findTeam(db: Queryable, { season, lang }: FixturesQuery, id: number, now: number): Promise<Subject> {
  const side = await findParticipantName(db, id, new Date(now));
  if (side === null) throw missing('team', `There is no team ${id}.`);
  if (side.type !== 'team') throw missing('player', `${id} is a ${side.type}, not a team.`);
  const label = season === undefined ? null : await findSeasonLabel(db, season);
  if (season !== undefined && label === null) throw missing('season', `There is no season ${season}.`);
  return {
    name: nameOf(side, lang),
    path: `team/${side.id}`,
    season: label,
    scope: { kind: 'team', id: side.id, season },
  };
}
