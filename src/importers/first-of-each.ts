/**
 * Keeps the first entry for each person. If a source has contradictory entries for a person, each import would
 * otherwise change that person.
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
