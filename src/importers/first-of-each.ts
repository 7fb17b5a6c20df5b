/** A source that lists a person twice with different data would contradict itself at every import: the first entry wins. */
import { identifyParticipant, type ParticipantRecord } from '../identity/identity.ts';

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
