/** Column heads for box scores in both languages, each in a short and a long form. */
import type { Lang } from '../../http/index.ts';

interface BoxScoreTexts {
  title: string;
  player: string;
  heads: Record<string, readonly [short: string, long: string]>;
}

export const BOX_SCORE: Record<Lang, BoxScoreTexts> = {
  en: {
    title: 'Box score',
    player: 'Player',
    heads: {
      minutes: ['Min', 'Minutes'],
      points: ['Pts', 'Points'],
      rebounds: ['Reb', 'Rebounds'],
      assists: ['Ast', 'Assists'],
      steals: ['Stl', 'Steals'],
      blocks: ['Blk', 'Blocks'],
      turnovers: ['TO', 'Turnovers'],
      fouls: ['F', 'Fouls'],
    },
  },
  ru: {
    title: 'Статистика игроков',
    player: 'Игрок',
    heads: {
      minutes: ['Мин', 'Минуты'],
      points: ['О', 'Очки'],
      rebounds: ['Пб', 'Подборы'],
      assists: ['Пр', 'Передачи'],
      steals: ['Пх', 'Перехваты'],
      blocks: ['Бш', 'Блокшоты'],
      turnovers: ['Пт', 'Потери'],
      fouls: ['Ф', 'Фолы'],
    },
  },
};
