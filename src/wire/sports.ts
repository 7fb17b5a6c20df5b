/** The sports, as data. Ids and slugs never change; a new sport gets the next id. */
export const SPORTS: readonly { id: number; slug: string; name: string; name_ru: string }[] = [
  { id: 1, slug: 'football', name: 'Football', name_ru: 'Футбол' },
  { id: 2, slug: 'basketball', name: 'Basketball', name_ru: 'Баскетбол' },
  { id: 3, slug: 'ice-hockey', name: 'Ice hockey', name_ru: 'Хоккей' },
  { id: 4, slug: 'tennis', name: 'Tennis', name_ru: 'Теннис' },
  { id: 5, slug: 'baseball', name: 'Baseball', name_ru: 'Бейсбол' },
  { id: 6, slug: 'volleyball', name: 'Volleyball', name_ru: 'Волейбол' },
  { id: 7, slug: 'handball', name: 'Handball', name_ru: 'Гандбол' },
  { id: 8, slug: 'rugby', name: 'Rugby', name_ru: 'Регби' },
  { id: 9, slug: 'american-football', name: 'American football', name_ru: 'Американский футбол' },
  { id: 10, slug: 'aussie-rules', name: 'Australian rules football', name_ru: 'Австралийский футбол' },
  { id: 11, slug: 'mma', name: 'MMA', name_ru: 'Смешанные единоборства' },
  { id: 12, slug: 'snooker', name: 'Snooker', name_ru: 'Снукер' },
  { id: 13, slug: 'darts', name: 'Darts', name_ru: 'Дартс' },
  { id: 14, slug: 'table-tennis', name: 'Table tennis', name_ru: 'Настольный теннис' },
  { id: 15, slug: 'cricket', name: 'Cricket', name_ru: 'Крикет' },
  { id: 16, slug: 'futsal', name: 'Futsal', name_ru: 'Футзал' },
  { id: 17, slug: 'esports', name: 'Esports', name_ru: 'Киберспорт' },
];

export const SPORT_SLUGS = SPORTS.map((sport) => sport.slug) as [string, ...string[]];
