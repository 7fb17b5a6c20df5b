/** A match's picture for shared links: crests, score, scorers, and the competition. */
import { participantDrawing } from '../../catalogue/index.ts';
import type { Queryable } from '../../db/postgres.ts';
import { findStoredMatch, type StoredMatch } from '../../matches/index.ts';
import { type Html, html } from '../../site/html.ts';
import { dateText, roundText, startText } from '../../site/texts/index.ts';
import { listScorers } from '../match-page/timeline.ts';
import type { PageOptions } from '../page-options.ts';
import { linkedPlayerNames, withPlayerNames } from '../shown-player-names.ts';
import { nameOf, shootOutResult, shortScore, sideOf, statusText } from '../status-text.ts';
import { colourBand, crest, footer, ground, INK, PICTURE, renderPicture, textLine } from './picture.ts';

type Options = Pick<PageOptions, 'lang' | 'now' | 'baseUrl'>;

const MIDDLE = PICTURE.width / 2;
/** The middle of each side's part. */
const SIDES = { home: 260, away: PICTURE.width - 260 } as const;
const CREST = 190;
const NAME_WIDTH = 400;
/** The room between the crests. */
const SCORE_WIDTH = 460;
/** Maximum number of scorers for each side. */
const SCORERS = 4;
const SCORER_HEIGHT = 32;
/** How far the sides move down in a picture without scorers. */
const NO_SCORERS_SHIFT = 56;

/** @returns null for an unknown match */
export async function matchPicture(db: Queryable, id: number, options: Options): Promise<Buffer | null> {
  const match = await findStoredMatch(db, id, ['incidents']);
  if (match === null) return null;
  const { item } = match;
  const blocks = withPlayerNames(match.blocks, await linkedPlayerNames(db, match.blocks), options.lang);
  const [home, away] = await Promise.all([
    participantDrawing(db, sideOf(item, 'home').participant_id),
    participantDrawing(db, sideOf(item, 'away').participant_id),
  ]);
  const bands = [colourBand(home?.colours ?? null, 'left'), colourBand(away?.colours ?? null, 'right')];
  const parts = (['home', 'away'] as const).map((side) => {
    const one = sideOf(item, side);
    const drawing = side === 'home' ? home : away;
    const x = SIDES[side];
    const goals = listScorers(blocks.incidents ?? [], side, item.sport, options.lang);
    return html`${drawing && crest(drawing, x - CREST / 2, 112, CREST)}
${textLine({ text: nameOf(one, options.lang), x, y: 358, size: 42, minSize: 28, weight: 700, anchor: 'middle', maxWidth: NAME_WIDTH })}
${scorerLines(
  goals.map(({ player, goals: scored }) => `${player} ${scored}`),
  x,
)}`;
  });
  const hasScorers = (blocks.incidents ?? []).some(({ kind, player_name }) => kind === 'goal' && player_name !== null);
  const shift = hasScorers ? 0 : NO_SCORERS_SHIFT;
  return renderPicture(html`${ground(item.sport)}${headLine(match, options)}
<g transform="translate(0 ${shift})">${parts}${middle(match, options)}</g>${bands}${footer(options.baseUrl)}`);
}

function scorerLines(texts: readonly string[], x: number): Html[] {
  const shown = texts.length > SCORERS ? [...texts.slice(0, SCORERS - 1), `+${texts.length - SCORERS + 1}`] : texts;
  return shown.map(
    (text, index) =>
      html`${textLine({ text, x, y: 412 + index * SCORER_HEIGHT, size: 24, anchor: 'middle', maxWidth: NAME_WIDTH + 60 })}`,
  );
}

/** The competition, its season, and the round. */
function headLine({ item, tournament_name_ru }: StoredMatch, { lang }: Options): Html | '' {
  const round = item.round_name ?? item.extra.round;
  const text = [
    `${nameOf({ name: item.tournament, name_ru: tournament_name_ru }, lang)} ${item.extra.season}`,
    round && roundText(round, lang),
  ];
  return textLine({
    text: text.filter(Boolean).join(' · '),
    x: MIDDLE,
    y: 76,
    size: 32,
    minSize: 24,
    colour: INK.soft,
    anchor: 'middle',
    maxWidth: 1_040,
  });
}

/** The score with the match's state, or the day and time of a fixture. */
function middle({ item }: StoredMatch, { lang, now }: Options): Html {
  const [home, away] = [shortScore(item, 'home', lang), shortScore(item, 'away', lang)];
  const line = { x: MIDDLE, anchor: 'middle', maxWidth: 300 } as const;
  const status = statusText(item, lang);
  const day = dateText(item.scheduled_start.slice(0, 10), lang);
  if (item.status === 'scheduled' || home === null || away === null) {
    const time = item.time_tbd ? '' : `${startText(item.scheduled_start, lang, now, 'time')} UTC`;
    return html`${textLine({ ...line, text: day, y: 220, size: 44, weight: 700, minSize: 28 })}
${textLine({ ...line, text: status ?? time, y: 272, size: 32, colour: INK.soft })}`;
  }
  const kicks = shootOutResult(item, lang);
  return html`${textLine({ ...line, text: `${home}:${away}`, y: 238, size: 120, weight: 700, minSize: 36, maxWidth: SCORE_WIDTH })}
${status && textLine({ ...line, text: status, y: 290, size: 30, minSize: 22, colour: INK.soft })}
${textLine({ ...line, text: kicks ?? (item.status === 'live' ? '' : day), y: 330, size: 26, minSize: 20, colour: INK.soft })}`;
}
