/** Texts for the page /meetings in both languages. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Meetings of two teams',
  of: 'All meetings',
  all: 'All meetings of both teams',
  withOther: 'Meetings with another team',
  choose: 'Choose two teams',
  chooseOthers: 'Choose other teams',
  first: 'First team',
  second: 'Second team',
  change: 'Change',
  found: 'Teams for “{q}”',
  nothing: 'No team fits “{q}”.',
  tooShort: 'Type at least two characters.',
  none: 'These teams have not met in any match of the catalogue.',
  otherSport: 'These teams play different sports, so they never meet.',
  counted: 'Matches with a result: {count}',
  scored: '{unit}: {first}–{second}',
  list: 'Matches',
  range: '{from}–{to} of {total}',
  newer: 'Newer',
  older: 'Older',
};

const ru: typeof en = {
  title: 'Встречи двух команд',
  of: 'Все встречи',
  all: 'Все встречи этих команд',
  withOther: 'Встречи с другой командой',
  choose: 'Выберите две команды',
  chooseOthers: 'Выбрать другие команды',
  first: 'Первая команда',
  second: 'Вторая команда',
  change: 'Изменить',
  found: 'Команды по запросу «{q}»',
  nothing: 'Команд по запросу «{q}» нет.',
  tooShort: 'Введите хотя бы две буквы.',
  none: 'В матчах каталога эти команды не встречались.',
  otherSport: 'Эти команды играют в разных видах спорта и друг с другом не встречаются.',
  counted: 'Матчей с результатом: {count}',
  scored: '{unit}: {first}–{second}',
  list: 'Матчи',
  range: '{from}–{to} из {total}',
  newer: 'Новее',
  older: 'Раньше',
};

export const MEETINGS: Record<Lang, typeof en> = { en, ru };
