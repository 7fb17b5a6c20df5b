/** Describes an event in one line of plain text, for notifications and chats. Uses the same words as the match page. */
import type { z } from 'zod';
import type { Lang } from '../http/index.ts';
import { readMember } from '../runtime/unknown-values.ts';
import { findSport, sportWords } from '../sports/sports.ts';
import type { EnvelopeData, EnvelopeMatch, envelope } from '../wire/envelope.ts';
import {
  EVENT_NEWS,
  fill,
  goalNote,
  LIVE,
  minuteText,
  periodInSentence,
  pointText,
  reasonText,
  STATUS_WORDS,
  scoreAfterText,
  TEXTS,
} from './texts/index.ts';

type Incident = NonNullable<EnvelopeData['incident']>;
type Side = 'home' | 'away';

/** Plain text. A caller that writes HTML or a chat's markup has to escape it. */
export interface EventText {
  /** The sides and the score, such as `Arsenal 2–1 Chelsea`. */
  title: string;
  /** The news, such as `⚽ 78′ Saka`. */
  body: string;
}

/** Longest shown name, in characters. Providers may send longer names and reasons. */
const NAME_CHARACTERS = 60;
/** Control characters, and characters that change the text direction. */
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]+/gu;

/** Returns a provider's value as one short line. Returns an empty text for a value that is not a string. */
function line(value: unknown): string {
  if (typeof value !== 'string') return '';
  const characters = [...value.replace(UNPRINTABLE, ' ').replace(/\s+/gu, ' ').trim()];
  return characters.length > NAME_CHARACTERS
    ? `${characters.slice(0, NAME_CHARACTERS - 1).join('')}…`
    : characters.join('');
}

const joined = (...parts: readonly string[]): string => parts.filter(Boolean).join(' ');

const sideText = ({ name, name_ru }: EnvelopeMatch['home'], lang: Lang): string =>
  line(lang === 'ru' ? (name_ru ?? name) : name);

/** Returns the score after the event. Prefers the goal's own score, because an update may contain two goals. */
function scoreAt({ match, incident }: EnvelopeData): Record<Side, number> | null {
  const { score } = (incident?.kind === 'goal' && incident.action !== 'delete' && incident.payload) || {};
  const [home, away] = (['home', 'away'] as const).map((side) => readMember(score, side) ?? match[side].score);
  return typeof home === 'number' && typeof away === 'number' ? { home, away } : null;
}

function titleText(data: EnvelopeData, lang: Lang): string {
  const { match } = data;
  const [home, away] = [sideText(match.home, lang), sideText(match.away, lang)];
  const score = findSport(match.sport)?.score.winnerOnly === true ? null : scoreAt(data);
  return score === null ? `${home} – ${away}` : `${home} ${score.home}–${score.away} ${away}`;
}

interface Context {
  data: EnvelopeData;
  lang: Lang;
}

/** Returns the incident's player, or the side if the player is unknown. */
function whoText({ data: { match, incident }, lang }: Context): string {
  const player = line(incident?.player_name);
  if (player !== '' || incident?.side == null) return player;
  return sideText(match[incident.side], lang);
}

/** Returns the minute. In cricket, returns overs and balls. */
const whenText = ({ payload, minute, minute_plus }: Incident): string =>
  line(payload.over) || minuteText({ minute, minute_plus });

const CARD_SIGNS: Readonly<Record<string, string>> = { yellow: '🟨', second_yellow: '🟨🟥', yellow_red: '🟨🟥' };

function goalText(context: Context, incident: Incident): string {
  const { data, lang } = context;
  const { sport } = data.match;
  const player = line(incident.player_name);
  const who = player || `${TEXTS[lang].pages.goal}: ${whoText(context)}`;
  return joined(sportWords(sport).emoji, whenText(incident), who) + goalNote(incident, sport, lang);
}

function cardText(context: Context, incident: Incident): string {
  const { card_type: type, sin_bin_minutes: minutes, reason } = incident.payload;
  const more = [minutesText(minutes, context.lang), reasonText(line(reason), context.lang)].filter(Boolean).join(', ');
  const sign = CARD_SIGNS[String(type)] ?? '🟥';
  return joined(sign, whenText(incident), whoText(context), more && `(${more})`);
}

const minutesText = (minutes: unknown, lang: Lang): string =>
  typeof minutes === 'number' ? fill(TEXTS[lang].pages.minutes, { minutes }) : '';

/** Returns the text for a new incident; null for the end of an over, which is not news. */
function incidentText(context: Context, incident: Incident): string | null {
  const { data, lang } = context;
  const { payload, kind } = incident;
  const text = TEXTS[lang].pages;
  const words = sportWords(data.match.sport);
  const [when, who] = [whenText(incident), whoText(context)];
  switch (kind) {
    case 'goal':
      return goalText(context, incident);
    case 'card':
      return cardText(context, incident);
    case 'point': {
      const points = pointText({ ...payload, point_type: line(payload.point_type) }, lang);
      return joined(words.emoji, when, who, points && `(${points})`);
    }
    case 'penalty':
      return joined('❌', when, `${words.penalty.missed[lang]}:`, who);
    case 'penalty_shootout': {
      const isScored = payload.scored === true;
      const what = `${who} ${isScored ? text.scoredKick : text.missedKick}`;
      return joined(isScored ? words.emoji : '❌', what, scoreAfterText(payload) && `(${scoreAfterText(payload)})`);
    }
    case 'subst': {
      const [comesIn, goesOut] = [line(payload.player_in) || line(incident.player_name), line(payload.player_out)];
      return joined('🔁', when, comesIn || text.substitution, goesOut && `← ${goesOut}`);
    }
    case 'var':
      return joined('📺', when, `${words.review[lang]}:`, reasonText(line(payload.decision), lang));
    case 'injury_time':
      return typeof payload.minutes === 'number' ? `⏱ ${fill(text.addedTime, { minutes: payload.minutes })}` : null;
    case 'suspension': {
      const more = [minutesText(payload.minutes, lang), reasonText(line(payload.reason), lang)];
      return joined('⏱', when, who, `(${more.filter(Boolean).join(', ')})`.replace('()', ''));
    }
    case 'wicket': {
      const { runs, wickets } = payload;
      const innings = typeof runs === 'number' && typeof wickets === 'number' ? `${runs}/${wickets}` : '';
      const name = words.incidents.wicket?.name[lang] ?? '';
      return joined(words.emoji, when, innings || name, line(payload.player_out) || who);
    }
    case 'boundary':
      return joined(words.emoji, when, String(Number(payload.runs) || ''), who);
    case 'set_end':
      return endText(context, incident);
    case 'over_end':
      return null;
    default: {
      const raw = line(payload.raw_kind);
      const known = words.incidents[raw]?.name[lang] ?? (raw || kind).replaceAll('_', ' ');
      return joined('•', when, line(known), who);
    }
  }
}

/** Returns `Start: second half`, «Начало второго тайма». */
function periodLine(what: string, period: string, { sport }: EnvelopeMatch, lang: Lang): string {
  const name = line(periodInSentence(period, sport, lang));
  return lang === 'en' ? `${what}: ${name}` : `${what} ${name}`;
}

/** Returns the text for a finished set, frame or quarter. For tennis, the text includes the games. */
function endText({ data, lang }: Context, incident: Incident): string {
  const games = scoreAfterText({ score: incident.payload.games });
  return joined(
    '🔔',
    periodLine(TEXTS[lang].pages.endOf, incident.period ?? '', data.match, lang),
    games && `(${games})`,
  );
}

/** Counts the finished periods by the incident's period, or else by the minute. Returns 0 if neither is known. */
function playedPeriods({ match, incident }: EnvelopeData): number {
  const number = /^(\d+)H$|^[A-Z]+(\d+)$/u.exec(incident?.period ?? '');
  if (number !== null) return Number(number[1] ?? number[2]);
  const { minute } = match;
  return minute === null ? 0 : (findSport(match.sport)?.periodEnds?.filter((end) => end <= minute).length ?? 0);
}

function periodEnded(context: Context): string {
  const { data, lang } = context;
  const { match, incident } = data;
  const { breaks } = sportWords(match.sport);
  const isBreak = match.status_detail === 'break' || incident?.period == null;
  const named = breaks.after?.[playedPeriods(data)];
  if (isBreak && (named !== undefined || incident?.period == null)) return `⏸ ${(named ?? breaks.usual)[lang]}`;
  return endText(context, incident!);
}

function periodStarted({ data: { match, incident }, lang }: Context): string {
  if (incident?.period != null) return `▶ ${periodLine(TEXTS[lang].pages.startOf, incident.period, match, lang)}`;
  return `▶ ${match.status_detail === 'penalties' ? statusWord(match, lang) : LIVE[lang]}`;
}

/** Returns `Full time`, `After extra time`, `Postponed`, in the words of the sport. */
function statusWord({ sport, status_detail: detail }: EnvelopeMatch, lang: Lang): string {
  const own: Readonly<Record<string, Record<Lang, string>>> = { ...STATUS_WORDS, ...sportWords(sport).statuses };
  return (own[detail] ?? LIVE)[lang];
}

/** Names the side whose score rose without an incident. A lower score means that the score was corrected. */
function scoreChanged({ data, lang }: Context): string {
  const { match, changes, previous } = data;
  const risen = (['home', 'away'] as const).filter((side) => {
    const [now, before] = [changes?.[`${side}_score`], previous?.[`${side}_score`]];
    return typeof now === 'number' && now > (typeof before === 'number' ? before : 0);
  });
  if (risen.length === 0) return `↩ ${EVENT_NEWS[lang].scoreCorrected}`;
  const minute = match.minute === null || findSport(match.sport)?.state === 'period' ? '' : `${match.minute}′`;
  return joined(sportWords(match.sport).emoji, minute, risen.map((side) => sideText(match[side], lang)).join(', '));
}

function goalCancelled(context: Context): string {
  const { data, lang } = context;
  return joined(
    '↩',
    data.incident === undefined ? '' : whenText(data.incident),
    `${EVENT_NEWS[lang].goalCancelled}:`,
    whoText(context),
  );
}

/** Returns the goal's text if the change added the scorer; otherwise null. */
function scorerNamed(context: Context, incident: Incident): string | null {
  const isNamed = incident.kind === 'goal' && typeof context.data.changes?.player_name === 'string';
  return isNamed ? goalText(context, incident) : null;
}

function bodyText(type: string, context: Context): string | null {
  const { data, lang } = context;
  const { match, incident } = data;
  const news = EVENT_NEWS[lang];
  switch (type) {
    case 'match.started':
      return joined(sportWords(match.sport).emoji, sportWords(match.sport).start[lang]);
    case 'match.period_started':
      return periodStarted(context);
    case 'match.period_ended':
      return periodEnded(context);
    case 'match.score_changed':
      return scoreChanged(context);
    case 'match.goal_cancelled':
      return goalCancelled(context);
    case 'match.incident_updated':
      return incident === undefined ? null : scorerNamed(context, incident);
    case 'match.finished':
    case 'match.abandoned':
      return `🏁 ${statusWord(match, lang)}`;
    case 'match.postponed':
      return `📅 ${STATUS_WORDS.postponed[lang]}`;
    case 'match.rescheduled':
      return `📅 ${news.rescheduled}`;
    case 'match.cancelled':
      return `🚫 ${STATUS_WORDS.cancelled[lang]}`;
    case 'match.suspended':
      return `⏸ ${STATUS_WORDS.suspended[lang]}`;
    case 'match.resumed':
      return `▶ ${news.resumed}`;
    case 'match.lineup_confirmed':
      return `📋 ${news.lineups}`;
    default:
      return incident?.action === 'insert' ? incidentText(context, incident) : null;
  }
}

/**
 * Returns the text for an event that a fan cares about. The text has no markup and no line breaks. Long names are shortened.
 * @returns null for other events, such as changed odds, the end of an over, and webhook events
 */
export function eventText(
  { type, data }: Pick<z.infer<typeof envelope>, 'type' | 'data'>,
  lang: Lang,
): EventText | null {
  if (!type.startsWith('match.')) return null;
  const body = bodyText(type, { data, lang });
  return body === null ? null : { title: titleText(data, lang), body };
}
