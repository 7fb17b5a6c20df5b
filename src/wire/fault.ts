/** A fault in a value of a feed update. */

export interface Fault {
  path: string;
  code: string;
  detail: string;
}
