/** SQL for the sports in which players score points, not goals. */
import { sportsWith } from './sports.ts';

export const POINT_SPORTS = sportsWith(({ score }) => score.countedBy === 'point')
  .map((slug) => `'${slug}'`)
  .join(', ');
