/** What is wrong with a value of a feed update. */

export interface Fault {
  path: string;
  code: string;
  detail: string;
}
