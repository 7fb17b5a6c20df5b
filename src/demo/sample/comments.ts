/** Lines of commentary for generated matches, in English and Russian. */
import type { RecordingInput } from '../recordings/recording.ts';
import type { Fixture } from './fixture.ts';

type Entry = RecordingInput['timeline'][number];

/** The score is the one after the entry. */
export function comment(entry: Entry, fixture: Fixture, score: { home: number; away: number }) {
  if (!('side' in entry) || !entry.side) return {};
  const club = fixture[entry.side];
  const standing = `${score.home}:${score.away}`;
  switch (entry.kind) {
    case 'goal': {
      const how =
        entry.type === 'penalty' ? 'from the spot' : entry.assist ? `from a pass by ${entry.assist}` : 'on his own';
      const howRu =
        entry.type === 'penalty' ? 'с пенальти' : entry.assist ? `с передачи ${entry.assist}` : 'в одиночку';
      return {
        comment: `Goal for ${club.name}! ${entry.player} scores ${how}: ${fixture.home.name} ${standing} ${fixture.away.name}.`,
        comment_ru: `Гол! ${club.name_ru}: ${entry.player} забивает ${howRu}. Счёт ${standing}.`,
      };
    }
    case 'card':
      if (entry.card === 'yellow') return {};
      return {
        comment: `${entry.player} is sent off, ${club.name} play on with one man fewer.`,
        comment_ru: `Удаление: ${entry.player}. ${club.name_ru} остаётся в меньшинстве.`,
      };
    case 'substitution':
      return {
        comment: `${club.name}: ${entry.in} comes on for ${entry.out}.`,
        comment_ru: `${club.name_ru}: ${entry.in} вместо ${entry.out}.`,
      };
    default:
      return {};
  }
}
