/**
 * Keeps the first entry for each person. Otherwise, each import would change a person for whom a source has
 * contradictory entries.
 */
import { identifyParticipant, type ParticipantRecord } from '../identity/entity-keys.ts';

export class FirstOfEach {
  #seen = new Set<string>();

  isFirst(record: ParticipantRecord): boolean {
    const { country, key } = identifyParticipant(record);
    const who = `${record.type}|${record.sport}|${country}|${key}`;
    if (this.#seen.has(who)) return false;
    this.#seen.add(who);
    return true;
  }
}
