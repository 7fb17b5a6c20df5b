export interface Sport {
  id: number;
  slug: string;
  name: string;
  name_ru: string;
  /**
   * If a match's leading provider sends no update for this many minutes, another one takes over: longer for sports with
   * longer quiet phases.
   */
  takeoverMinutes: number;
  /** Minutes after the start by which a match is over and its result known: longest match plus longest usual delay. */
  awaitingAfterStart: number;
  /** Minutes that a live match can be silent: breaks, rain, and the night in matches over several days. */
  awaitingAfterSilence: number;
}

/** The sports. Ids and slugs never change; a new sport gets the next id. */
// biome-ignore format: a table
export const SPORTS: readonly Sport[] = [
  { id: 1, slug: 'football', name: 'Football', name_ru: 'Футбол', awaitingAfterStart: 240, awaitingAfterSilence: 120, takeoverMinutes: 5 },
  { id: 2, slug: 'basketball', name: 'Basketball', name_ru: 'Баскетбол', awaitingAfterStart: 240, awaitingAfterSilence: 120, takeoverMinutes: 5 },
  { id: 3, slug: 'ice-hockey', name: 'Ice hockey', name_ru: 'Хоккей', awaitingAfterStart: 300, awaitingAfterSilence: 120, takeoverMinutes: 5 },
  { id: 4, slug: 'tennis', name: 'Tennis', name_ru: 'Теннис', awaitingAfterStart: 1440, awaitingAfterSilence: 360, takeoverMinutes: 10 },
  { id: 5, slug: 'baseball', name: 'Baseball', name_ru: 'Бейсбол', awaitingAfterStart: 600, awaitingAfterSilence: 240, takeoverMinutes: 10 },
  { id: 6, slug: 'volleyball', name: 'Volleyball', name_ru: 'Волейбол', awaitingAfterStart: 300, awaitingAfterSilence: 120, takeoverMinutes: 5 },
  { id: 7, slug: 'handball', name: 'Handball', name_ru: 'Гандбол', awaitingAfterStart: 240, awaitingAfterSilence: 120, takeoverMinutes: 5 },
  { id: 8, slug: 'rugby', name: 'Rugby', name_ru: 'Регби', awaitingAfterStart: 240, awaitingAfterSilence: 120, takeoverMinutes: 5 },
  { id: 9, slug: 'american-football', name: 'American football', name_ru: 'Американский футбол', awaitingAfterStart: 360, awaitingAfterSilence: 120, takeoverMinutes: 10 },
  { id: 10, slug: 'aussie-rules', name: 'Australian rules football', name_ru: 'Австралийский футбол', awaitingAfterStart: 300, awaitingAfterSilence: 120, takeoverMinutes: 5 },
  { id: 11, slug: 'mma', name: 'MMA', name_ru: 'Смешанные единоборства', awaitingAfterStart: 720, awaitingAfterSilence: 120, takeoverMinutes: 15 },
  { id: 12, slug: 'snooker', name: 'Snooker', name_ru: 'Снукер', awaitingAfterStart: 1440, awaitingAfterSilence: 960, takeoverMinutes: 15 },
  { id: 13, slug: 'darts', name: 'Darts', name_ru: 'Дартс', awaitingAfterStart: 480, awaitingAfterSilence: 120, takeoverMinutes: 10 },
  { id: 14, slug: 'table-tennis', name: 'Table tennis', name_ru: 'Настольный теннис', awaitingAfterStart: 480, awaitingAfterSilence: 120, takeoverMinutes: 10 },
  { id: 15, slug: 'cricket', name: 'Cricket', name_ru: 'Крикет', awaitingAfterStart: 2880, awaitingAfterSilence: 1440, takeoverMinutes: 15 },
  { id: 16, slug: 'futsal', name: 'Futsal', name_ru: 'Футзал', awaitingAfterStart: 240, awaitingAfterSilence: 120, takeoverMinutes: 5 },
  { id: 17, slug: 'esports', name: 'Esports', name_ru: 'Киберспорт', awaitingAfterStart: 720, awaitingAfterSilence: 240, takeoverMinutes: 10 },
];

export const SPORT_SLUGS = SPORTS.map((sport) => sport.slug) as [string, ...string[]];

/**
 * The content of a complete match, by sport, to measure the completeness of a card's blocks. A sport that is not listed
 * has none.
 */
export interface SportExtent {
  /** Players of a side in the starting line-up; absent if codes of the sport or its events differ. */
  starters?: number;
  /** The kind of incident that the score counts; absent if a score cannot be counted. */
  scores_by?: 'goal' | 'point' | 'set_end';
  /** Minutes of regular time. */
  minutes?: number;
}
export const SPORT_EXTENTS: Readonly<Record<string, SportExtent>> = {
  football: { starters: 11, scores_by: 'goal', minutes: 90 },
  basketball: { starters: 5, scores_by: 'point', minutes: 40 },
  'ice-hockey': { starters: 6, scores_by: 'goal' },
  tennis: { scores_by: 'set_end' },
  baseball: { starters: 9, scores_by: 'point' },
  volleyball: { starters: 6, scores_by: 'set_end' },
  handball: { starters: 7, scores_by: 'goal' },
  rugby: { scores_by: 'point' },
  'american-football': { scores_by: 'point' },
  'aussie-rules': { starters: 18 },
  snooker: { scores_by: 'set_end' },
  darts: { scores_by: 'set_end' },
  'table-tennis': { scores_by: 'set_end' },
  cricket: { starters: 11 },
  futsal: { starters: 5, scores_by: 'goal' },
};
