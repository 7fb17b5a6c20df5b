/** Position names in Russian, by team line, starting with the goalkeeper. */
export const LINES_RU: readonly string[] = ['вратарь', 'защитник', 'полузащитник', 'нападающий'];
