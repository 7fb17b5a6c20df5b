/** A fault in a feed update's value. */

export interface Fault {
  path: string;
  code: string;
  detail: string;
}
