/** Parts of an incident's text: minute, score, and reasons and kinds, which sources write in English. */
import type { Lang } from '../../http/index.ts';
import { readMember } from '../../runtime/unknown-values.ts';
import { sportWords } from '../../sports/sports.ts';
import type { Incident } from '../../wire/match.ts';
import { pages } from './pages.ts';

const RUSSIAN: Readonly<Record<string, string>> = {
  foul: 'фол',
  tripping: 'подножка',
  roughing: 'грубая игра',
  'unsportsmanlike conduct': 'неспортивное поведение',
  'unsporting behaviour': 'неспортивное поведение',
  holding: 'задержка соперника',
  protest: 'протест',
  dissent: 'споры с судьёй',
  argument: 'споры с судьёй',
  'delay of game': 'затягивание игры',
  'time wasting': 'затягивание игры',
  'time lost foul': 'затягивание игры',
  'out of game foul': 'фол вне игры',
  elbowing: 'удар локтем',
  'late card foul': 'фол',
  handling: 'игра рукой',
  'hand foul': 'игра рукой',
  handball: 'игра рукой',
  diving: 'симуляция',
  simulation: 'симуляция',
  'violent foul': 'грубый фол',
  'violent conduct': 'агрессивное поведение',
  'serious foul': 'грубый фол',
  'professional foul': 'фол последней надежды',
  'professional foul last man': 'фол последней надежды',
  fighting: 'драка',
  offside: 'офсайд',
  impeding: 'блокировка соперника',
  'head-butting': 'удар головой',
  'ground defending duel': 'фол в единоборстве',
  touch: 'игра рукой',
  'abuse of officials': 'оскорбление судьи',
  injury: 'травма',
  'knee injury': 'травма колена',
  'ankle injury': 'травма голеностопа',
  'foot injury': 'травма стопы',
  'thigh injury': 'травма бедра',
  'hamstring injury': 'травма задней поверхности бедра',
  'calf injury': 'травма икроножной мышцы',
  'groin injury': 'травма паха',
  'hip injury': 'травма бедра',
  'back injury': 'травма спины',
  'shoulder injury': 'травма плеча',
  'head injury': 'травма головы',
  'muscle injury': 'мышечная травма',
  illness: 'болезнь',
  suspended: 'дисквалификация',
  suspension: 'дисквалификация',
  'misses next match': 'пропустит следующий матч',
  goal_disallowed: 'гол отменён',
  goal_confirmed: 'гол засчитан',
  goal_awarded: 'гол засчитан',
  penalty_awarded: 'назначен пенальти',
  penalty_cancelled: 'пенальти отменён',
  penalty_not_awarded: 'пенальти не назначен',
  card_upgrade: 'карточка заменена на красную',
  red_card: 'красная карточка',
  red_card_cancelled: 'красная карточка отменена',
  free_throw: 'штрафной бросок',
  try: 'попытка',
  conversion: 'реализация',
  drop_goal: 'дроп-гол',
  penalty: 'штрафной',
  penalty_try: 'штрафная попытка',
  touchdown: 'тачдаун',
  field_goal: 'филд-гол',
  extra_point: 'экстрапойнт',
  two_point_conversion: 'двухочковая реализация',
  safety: 'сейфти',
  behind: 'бихайнд',
  run: 'ран',
  home_run: 'хоум-ран',
  over: 'овер',
  slashing: 'удар клюшкой',
  hooking: 'зацеп',
  interference: 'блокировка',
  'ko/tko': 'нокаут',
  ko: 'нокаут',
  tko: 'технический нокаут',
  submission: 'сдача',
  decision: 'решение судей',
  'unanimous decision': 'единогласное решение судей',
  'split decision': 'раздельное решение судей',
  'majority decision': 'решение большинства судей',
  'no contest': 'бой не состоялся',
  mistaken_identity: 'наказан не тот игрок',
};

/**
 * @param text as the source writes it, such as `Tripping, misses next match`. Text that is not listed is returned
 * unchanged
 */
export const reasonText = (text: string, lang: Lang): string =>
  lang === 'en'
    ? text.replaceAll('_', ' ')
    : text
        .split(', ')
        .map((part) => RUSSIAN[part.toLowerCase()] ?? RUSSIAN[part.toLowerCase().replaceAll(' ', '_')] ?? part)
        .join(', ');

export const minuteText = ({ minute, minute_plus }: Pick<Incident, 'minute' | 'minute_plus'>) =>
  minute === null ? '' : minute_plus ? `${minute}+${minute_plus}′` : `${minute}′`;

/** Returns `2:1`, the score after an incident; an empty text if the source does not give it. */
export function scoreAfterText({ score }: Incident['payload']): string {
  const [home, away] = [readMember(score, 'home'), readMember(score, 'away')];
  return typeof home === 'number' && typeof away === 'number' ? `${home}:${away}` : '';
}

/** Returns ` (pen.)` or ` (own goal)`; an empty text for other goals. */
export function goalNote({ payload }: Pick<Incident, 'payload'>, sport: string, lang: Lang): string {
  if (payload.goal_type === 'penalty') return ` (${sportWords(sport).penalty.note[lang]})`;
  return payload.goal_type === 'own_goal' ? ` (${pages[lang].ownGoal})` : '';
}

/**
 * Returns a score such as `+3` and how it was scored. For baskets from the field, the points already say how. An over has
 * a number.
 */
export function pointText({ points, point_type, over }: Incident['payload'], lang: Lang): string {
  const worth = typeof points === 'number' ? `+${points}` : '';
  const kind = typeof point_type === 'string' ? point_type : '';
  const how = ['two', 'three'].includes(kind) ? '' : reasonText(kind, lang);
  return [worth, typeof over === 'number' ? `${how} ${over}` : how].filter(Boolean).join(', ');
}
