/** Reasons for cards and video referee decisions in Russian. Sources write them in English. */
import type { Lang } from '../../http/index.ts';

const RUSSIAN: Readonly<Record<string, string>> = {
  foul: 'фол',
  tripping: 'подножка',
  roughing: 'грубая игра',
  'unsportsmanlike conduct': 'неспортивное поведение',
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
        .map((part) => RUSSIAN[part.toLowerCase()] ?? part)
        .join(', ');
