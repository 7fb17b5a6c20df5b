/**
 * Keeps the first entry for each person. If a source had contradictory duplicates, the person would otherwise change at
 * every import.
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
