/** The words for what a sport's scores count. */

export interface ScoreUnit {
  en: { one: string; many: string };
  /** Genitives, one after 1, 21 and fractions, and one after all remaining numbers. */
  ru: { one: string; many: string };
  /** Russian verbs for a team with such scores. */
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
  /** For volleyball, Russian has a different word than for tennis. */
  volleyball_sets: unit('set', 'партии', 'партий'),
  games: unit('game', 'партии', 'партий'),
  frames: unit('frame', 'фрейма', 'фреймов'),
  legs: unit('leg', 'лега', 'легов'),
  maps: unit('map', 'карты', 'карт'),
} as const satisfies Record<string, ScoreUnit>;
