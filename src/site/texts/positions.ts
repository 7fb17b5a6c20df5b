/** Names of positions in Russian, by the line of the team, from the goal on. */
export const LINES_RU: readonly string[] = ['вратарь', 'защитник', 'полузащитник', 'нападающий'];
