/** Pictures of teams, players and tournaments for shared links. */
import {
  listedMatchesRead,
  participantDrawing,
  profileRead,
  seasonsRead,
  tournamentRead,
} from '../../catalogue/index.ts';
import type { StandingsRow } from '../../competitions/index.ts';
import { readAll } from '../../db/reads.ts';
import { listFixtures } from '../../matches/index.ts';
import { type Html, html } from '../../site/html.ts';
import { COLUMN_HEADS, dateText, TEXTS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import {
  playerSeasonsRead,
  type ShownStatistics,
  shownStatistics,
  statisticsNamesRead,
  toCricketFigures,
  withFreshFigures,
} from '../../statistics/index.ts';
import type { MatchItem } from '../../wire/match.ts';
import { utcDay } from '../../wire/time.ts';
import type { WebDeps } from '../deps.ts';
import type { PageOptions } from '../page-options.ts';
import { positionText } from '../player-positions.ts';
import { figureNames, hasTablePoints, playerFigures } from '../sport-figures.ts';
import { nameOf, shortScore, sideOf } from '../status-text.ts';
import { leagueTable } from '../tables/league-table.ts';
import { colourBand, crest, footer, INK, MARGIN, PICTURE, renderPicture, textLine } from './picture.ts';

type Options = Pick<PageOptions, 'lang' | 'now' | 'baseUrl'>;

const RIGHT = PICTURE.width - MARGIN;
const CONTENT = PICTURE.width - 2 * MARGIN;
const IMAGE = 180;
const BESIDE_IMAGE = MARGIN + IMAGE + 36;
/** Number of matches in a picture. */
const LISTED = 4;
const MATCH_HEIGHT = 62;
/** Number of characters in `123:121`. */
const LONG_SCORE = 7;
/** Number of rows of a table in a picture. */
const ROWS = 6;
const ROW_HEIGHT = 57;

/** The participant's image with the name beside it, and a line of facts. */
async function titled(
  { pool }: WebDeps,
  id: number,
  name: string,
  facts: readonly (string | null | undefined | false)[],
): Promise<Html> {
  const drawing = await participantDrawing(pool, id);
  const width = RIGHT - BESIDE_IMAGE;
  const fact = { x: BESIDE_IMAGE, y: 204, size: 32, minSize: 24, colour: INK.soft, maxWidth: width };
  return html`${colourBand(drawing?.colours ?? null, 'left')}${drawing && crest(drawing, MARGIN, 56, IMAGE)}
${textLine({ text: name, x: BESIDE_IMAGE, y: 146, size: 64, minSize: 40, weight: 700, maxWidth: width })}
${textLine({ ...fact, text: facts.filter(Boolean).join(' · ') })}`;
}

/** Matches as lines: the day, the sides, and the score or a dash. */
function matchLines(matches: readonly MatchItem[], top: number, { lang }: Options): Html[] {
  return matches.slice(0, LISTED).map((match, index) => {
    const y = top + index * MATCH_HEIGHT;
    const [home, away] = [sideOf(match, 'home'), sideOf(match, 'away')];
    const scores = [shortScore(match, 'home', lang), shortScore(match, 'away', lang)];
    const score = match.status !== 'scheduled' && !scores.includes(null) ? scores.join(':') : '–';
    const middle = MARGIN + 670;
    // Runs with wickets need more room than other scores.
    const gap = score.length > LONG_SCORE ? 115 : 60;
    const side = { y, size: 30, minSize: 22, maxWidth: 405 - gap };
    const day = dateText(match.scheduled_start.slice(0, 10), lang);
    return html`${textLine({ text: day, x: MARGIN, y, size: 24, colour: INK.soft, maxWidth: 220 })}
${textLine({ ...side, text: nameOf(home, lang), x: middle - gap, anchor: 'end' })}
${textLine({ text: score, x: middle, y, size: 32, weight: 700, anchor: 'middle', minSize: 22, maxWidth: 2 * gap - 10 })}
${textLine({ ...side, text: nameOf(away, lang), x: middle + gap })}`;
  });
}

/** A team: its next match, and its last results. @returns null for an unknown team */
export async function teamPicture(deps: WebDeps, id: number, options: Options): Promise<Buffer | null> {
  const now = new Date(options.now);
  const { team, matches } = await readAll(deps.reads, {
    team: profileRead(id, now),
    matches: listedMatchesRead(id, now, LISTED),
  });
  if (team === null) return null;
  const { lang, baseUrl } = options;
  const text = TEXTS[lang].catalogue;
  const head = await titled(deps, id, nameOf(team, lang), [
    team.country && nameOf(team.country, lang),
    team.gender === 'women' && text.women,
  ]);
  const shown = [...matches.next.slice(0, 1), ...matches.last].slice(0, LISTED);
  return renderPicture(html`${head}${matchLines(shown, 330, options)}${footer(baseUrl)}`);
}

/**
 * A player: club, position, and the figures of the newest season, or the last matches if none is known.
 * @returns null for an unknown player
 */
export async function playerPicture(deps: WebDeps, id: number, options: Options): Promise<Buffer | null> {
  const now = new Date(options.now);
  const { player, asPlayer, names, matches } = await withFreshFigures(deps.pool, () =>
    readAll(deps.reads, {
      player: profileRead(id, now),
      asPlayer: playerSeasonsRead(id),
      names: statisticsNamesRead(id),
      matches: listedMatchesRead(id, now, LISTED),
    }),
  );
  if (player === null) return null;
  const { lang, baseUrl } = options;
  const { club, sport, country, extra } = player;
  const position = typeof extra.position === 'string' ? positionText(extra.position, sport, lang) : null;
  const head = await titled(deps, id, nameOf(player, lang), [
    club && `${nameOf(club, lang)} (${club.season})`,
    position,
    country && nameOf(country, lang),
  ]);
  const [newest] = shownStatistics([], asPlayer, names);
  const known = newest === undefined ? [] : knownFigures(newest, sport, options);
  const shown =
    newest === undefined || known.length === 0
      ? matchLines([...matches.next.slice(0, 1), ...matches.last].slice(0, LISTED), 330, options)
      : seasonFigures(newest, known, options);
  return renderPicture(html`${head}${shown}${footer(baseUrl)}`);
}

type KnownFigure = readonly [name: string, value: number];

/** Returns the figures of a season by name. Figures that no source gives are left out. */
function knownFigures({ own, ...season }: ShownStatistics, sport: string, { lang }: Options): KnownFigure[] {
  const cricket = own ? toCricketFigures(own) : null;
  const figures = findSport(sport)?.wickets
    ? ([
        ['matches', season.matches],
        ['runs', cricket?.runs],
        ['wickets', cricket?.wickets],
      ] as const)
    : playerFigures(['matches', 'goals', 'assists'], sport).map((figure) => [figure, season[figure]] as const);
  return figures.flatMap(([figure, value]) => (value == null ? [] : [[figureNames(figure, sport, lang)[1], value]]));
}

/** Shows the figures of one season as large numbers. */
function seasonFigures(season: ShownStatistics, known: readonly KnownFigure[], { lang }: Options): Html {
  const width = CONTENT / 3;
  const tournament = nameOf({ name: season.tournament, name_ru: season.tournament_ru }, lang);
  return html`${textLine({ text: `${tournament} ${season.season_label}`, x: MARGIN, y: 322, size: 32, weight: 700, maxWidth: CONTENT })}
${known.map(
  ([name, value], index) =>
    html`${textLine({
      text: value.toLocaleString(lang),
      x: MARGIN + index * width,
      y: 446,
      size: 96,
      weight: 700,
      maxWidth: width - 30,
    })}${textLine({ text: name, x: MARGIN + index * width, y: 496, size: 30, colour: INK.soft, maxWidth: width - 30 })}`,
)}`;
}

/**
 * A tournament's season: the table, or the newest matches if it has several tables or none.
 * @returns null for an unknown tournament or season
 */
export async function tournamentPicture(
  deps: WebDeps,
  id: number,
  query: { season?: number | undefined; version: string },
  options: Options,
): Promise<Buffer | null> {
  const { lang, now, baseUrl } = options;
  const { tournament, seasons } = await readAll(deps.reads, {
    tournament: tournamentRead(id),
    seasons: seasonsRead(id, utcDay(now)),
  });
  const season = seasons.find((one) => (query.season === undefined ? one.is_current : one.id === query.season));
  if (tournament === null || (season === undefined && query.season !== undefined)) return null;
  const { country_name, country_name_ru, name_i18n } = tournament;
  const name = nameOf({ name: name_i18n.en, name_ru: name_i18n.ru ?? null }, lang);
  const country = country_name === null ? '' : nameOf({ name: country_name, name_ru: country_name_ru }, lang);
  const title = `${name} ${season?.season_label ?? ''}`;
  const head = html`${textLine({ text: title, x: MARGIN, y: 104, size: 56, minSize: 36, weight: 700, maxWidth: CONTENT })}
${textLine({ text: country, x: MARGIN, y: 150, size: 28, colour: INK.soft, maxWidth: CONTENT })}`;
  const table =
    season === undefined
      ? null
      : await leagueTable(deps, { tournament: id, season: season.id, version: query.version }, now);
  const rows = table?.rows ?? [];
  const hasOneTable = rows.length > 0 && rows.every(({ group }) => group === rows[0]!.group);
  const content = hasOneTable
    ? await tableLines(deps, rows.slice(0, ROWS), tournament.sport, options)
    : matchLines(await newestMatches(deps, season?.id, now), 270, options);
  return renderPicture(html`${head}${content}${footer(baseUrl)}`);
}

async function newestMatches({ pool }: WebDeps, season: number | undefined, now: number): Promise<MatchItem[]> {
  if (season === undefined) return [];
  const list = (kind: 'ahead' | 'results') =>
    listFixtures(pool, kind, { kind: 'season', id: season }, new Date(now), LISTED);
  const results = await list('results');
  return (results.length > 0 ? results : await list('ahead')).map(({ item }) => item);
}

async function tableLines(
  { pool }: WebDeps,
  rows: readonly StandingsRow[],
  sport: string,
  { lang }: Options,
): Promise<Html[]> {
  const heads = COLUMN_HEADS[lang];
  const hasPoints = hasTablePoints(sport);
  const [played, last] = [RIGHT - 150, RIGHT];
  const end = { anchor: 'end', maxWidth: 120 } as const;
  const head = html`${[
    [heads.played[1], played],
    [heads[hasPoints ? 'points' : 'win_percentage'][hasPoints ? 1 : 0], last],
  ].map(([text, x]) => textLine({ ...end, text: String(text), x: Number(x), y: 196, size: 22, colour: INK.soft }))}`;
  const lines = rows.map(async (row, index) => {
    const y = 244 + index * ROW_HEIGHT;
    const drawing = await participantDrawing(pool, row.participant_id);
    const value = hasPoints ? String(row.points) : (row.win_percentage?.toFixed(3) ?? '–');
    return html`${textLine({ text: String(row.position), x: MARGIN + 36, y, size: 30, colour: INK.soft, ...end })}
${drawing && crest(drawing, MARGIN + 58, y - 35, 46)}
${textLine({ text: nameOf(row, lang), x: MARGIN + 122, y, size: 32, minSize: 24, weight: 700, maxWidth: 680 })}
${textLine({ ...end, text: String(row.played), x: played, y, size: 30 })}
${textLine({ ...end, text: value, x: last, y, size: 32, weight: 700 })}`;
  });
  return [head, ...(await Promise.all(lines))];
}
