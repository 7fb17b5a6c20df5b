/**
 * Chances of the three outcomes during a match: the goals still to come are two independent Poisson counts whose means
 * shrink with the remaining time (Maher 1982, without the correction for low scores).
 */
const MOST_GOALS_TO_COME = 10;

const poisson = (mean: number, goals: number): number => {
  let value = Math.exp(-mean);
  for (let k = 1; k <= goals; k++) value *= mean / k;
  return value;
};

/** Percentages that add up to 100. `lead` is home minus away goals; the means are for the goals still expected. */
export function winProbability(
  lead: number,
  homeMean: number,
  awayMean: number,
): { homeWin: number; draw: number; awayWin: number } {
  const chances = { homeWin: 0, draw: 0, awayWin: 0 };
  for (let home = 0; home <= MOST_GOALS_TO_COME; home++) {
    for (let away = 0; away <= MOST_GOALS_TO_COME; away++) {
      const difference = lead + home - away;
      const outcome = difference > 0 ? 'homeWin' : difference < 0 ? 'awayWin' : 'draw';
      chances[outcome] += poisson(homeMean, home) * poisson(awayMean, away);
    }
  }
  const total = chances.homeWin + chances.draw + chances.awayWin;
  const homeWin = Math.round((chances.homeWin / total) * 1000) / 10;
  const awayWin = Math.round((chances.awayWin / total) * 1000) / 10;
  return { homeWin, draw: Math.max(0, Math.round((100 - homeWin - awayWin) * 10) / 10), awayWin };
}
