import { defineSport } from './sport.ts';

export const mma = defineSport({
  id: 11,
  slug: 'mma',
  name: 'MMA',
  name_ru: 'Смешанные единоборства',
  takeoverMinutes: 15,
  awaitingAfterStart: 720,
  awaitingAfterSilence: 120,
  usualMinutes: 30,
  blocks: ['fight'],
});
