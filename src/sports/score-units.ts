/** The words for what scores count, such as goals or sets. */

export interface ScoreUnit {
  en: { one: string; many: string };
  /** Genitive forms. `one` is used after fractions and after 1, 21 and so on; `many` is used otherwise. */
  ru: { one: string; many: string };
  /** Russian verbs for a team that scored or conceded. */
  verbs: { scored: string; conceded: string };
}

const unit = (
  en: string,
  one: string,
  many: string,
  [scored, conceded]: readonly [string, string] = ['Выиграли', 'Проиграли'],
): ScoreUnit => ({ en: { one: en, many: `${en}s` }, ru: { one, many }, verbs: { scored, conceded } });

export const UNITS = {
  goals: unit('goal', 'гола', 'голов', ['Забили', 'Пропустили']),
  points: unit('point', 'очка', 'очков', ['Набрали', 'Пропустили']),
  runs: unit('run', 'рана', 'ранов', ['Набрали', 'Пропустили']),
  sets: unit('set', 'сета', 'сетов'),
  /** Sets in volleyball. The Russian word is not the one used in tennis. */
  volleyball_sets: unit('set', 'партии', 'партий'),
  games: unit('game', 'партии', 'партий'),
  frames: unit('frame', 'фрейма', 'фреймов'),
  legs: unit('leg', 'лега', 'легов'),
  maps: unit('map', 'карты', 'карт'),
} as const satisfies Record<string, ScoreUnit>;
