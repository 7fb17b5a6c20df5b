/** Position names in Russian, by team line, from the goal on. */
export const LINES_RU: readonly string[] = ['вратарь', 'защитник', 'полузащитник', 'нападающий'];
