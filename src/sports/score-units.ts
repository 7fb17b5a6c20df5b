/** The words for what scores count, such as goals or sets. */

export interface ScoreUnit {
  en: { one: string; many: string };
  /** Genitive forms. `one` is used after fractions and after 1, 21 and so on; `many` is used otherwise. */
  ru: { one: string; many: string };
  /** Russian verbs for a team that scored or conceded. */
  verbs: { scored: string; conceded: string };
  /** Words before the noun for a team and for its opponents: `Goals scored`, «Забито голов». */
  gained: Record<'en' | 'ru', { scored: string; conceded: string }>;
}

interface Gains {
  verbs: ScoreUnit['verbs'];
  gained: ScoreUnit['gained'];
}
const gains = (
  [scored, conceded]: readonly [string, string],
  [neuter, neuterConceded]: readonly [string, string],
  en: ScoreUnit['gained']['en'] = { scored: 'scored', conceded: 'conceded' },
): Gains => ({ verbs: { scored, conceded }, gained: { en, ru: { scored: neuter, conceded: neuterConceded } } });
const SCORED = gains(['Забили', 'Пропустили'], ['Забито', 'Пропущено']);
const COLLECTED = gains(['Набрали', 'Пропустили'], ['Набрано', 'Пропущено']);
const WON = gains(['Выиграли', 'Проиграли'], ['Выиграно', 'Проиграно'], { scored: 'won', conceded: 'lost' });

const unit = (en: string, one: string, many: string, words: Gains = WON): ScoreUnit => ({
  en: { one: en, many: `${en}s` },
  ru: { one, many },
  ...words,
});

export const UNITS = {
  goals: unit('goal', 'гола', 'голов', SCORED),
  points: unit('point', 'очка', 'очков', COLLECTED),
  runs: unit('run', 'рана', 'ранов', COLLECTED),
  sets: unit('set', 'сета', 'сетов'),
  /** Sets in volleyball. The Russian word is not the one used in tennis. */
  volleyball_sets: unit('set', 'партии', 'партий'),
  games: unit('game', 'партии', 'партий'),
  frames: unit('frame', 'фрейма', 'фреймов'),
  legs: unit('leg', 'лега', 'легов'),
  maps: unit('map', 'карты', 'карт'),
} as const satisfies Record<string, ScoreUnit>;
