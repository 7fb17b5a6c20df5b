/**
 * Scans JSON text before it is parsed. This is necessary because the parser cannot be interrupted. For each array, it takes a
 * quarter of a microsecond, a thousand times as long as for a digit. Only the parser checks the syntax.
 */

const QUOTE = 34;
const COMMA = 44;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

const isOpening = (mark: number) => mark === OPENING_BRACKET || mark === OPENING_BRACE;
const isClosing = (mark: number) => mark === CLOSING_BRACKET || mark === CLOSING_BRACE;

/** Returns the position of the quote that ends the text beginning at `start`, or the end of `json` if there is no such quote. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return json.length;
}

/** Calls `visit` for each bracket and comma outside texts, with the number of brackets that are open before it. */
function visitMarks(json: string, visit: (at: number, mark: number, open: number) => void): void {
  let open = 0;
  for (let at = 0; at < json.length; at += 1) {
    const mark = json.charCodeAt(at);
    if (mark === QUOTE) at = endOfText(json, at);
    else if (isOpening(mark)) visit(at, mark, open++);
    else if (isClosing(mark)) visit(at, mark, open--);
    else if (mark === COMMA) visit(at, mark, open);
  }
}

export interface JsonShape {
  /** How deeply arrays and objects are nested. */
  depth: number;
  /** Number of arrays and objects. */
  containers: number;
}

export function shapeOfJson(json: string): JsonShape {
  const shape = { depth: 0, containers: 0 };
  visitMarks(json, (_at, mark, open) => {
    if (!isOpening(mark)) return;
    shape.containers += 1;
    if (open >= shape.depth) shape.depth = open + 1;
  });
  return shape;
}

/** Returns the JSON with each array and object below `depth` replaced by `null`. */
export function pruneJson(json: string, depth: number): string {
  const kept: string[] = [];
  let from = 0;
  visitMarks(json, (at, mark, open) => {
    if (isOpening(mark) && open === depth) {
      kept.push(json.slice(from, at), 'null');
      from = json.length;
    } else if (isClosing(mark) && open === depth + 1) from = at + 1;
  });
  return [...kept, json.slice(from)].join('');
}

/**
 * Returns the JSON with at most `most` members in each array and object. The parser takes microseconds for each member of an
 * object that has thousands of them.
 * @throws {RangeError} if more than `mostOfAll` members are left in all arrays and objects together
 */
export function trimJson(json: string, most: number, mostOfAll: number): string {
  const kept: string[] = [];
  let from = 0;
  let all = 0;
  /** Commas in each open array and object. */
  const commas: number[] = [];
  let cutAt: number | null = null;
  visitMarks(json, (at, mark, open) => {
    if (isClosing(mark)) {
      if (cutAt !== open) return;
      from = at;
      cutAt = null;
    } else if (cutAt === null) {
      if (++all > mostOfAll) throw new RangeError(`there are more than ${mostOfAll} members`);
      if (isOpening(mark)) commas[open + 1] = 0;
      else if (++commas[open]! === most) {
        kept.push(json.slice(from, at));
        from = json.length;
        cutAt = open;
      }
    }
  });
  return [...kept, json.slice(from)].join('');
}

/**
 * Splits an array into elements, each as JSON.
 * @returns null if the text does not begin as an array
 * @throws {SyntaxError} if the array does not end, or ends before the text does; {RangeError} if it has more than `max`
 * elements
 */
export function elementsOfJson(json: string, max: number): string[] | null {
  if (!/^[\t\n\r ]*\[/.test(json)) return null;
  const elements: string[] = [];
  let from = json.indexOf('[') + 1;
  let end = -1;
  visitMarks(json, (at, mark, open) => {
    if (open !== 1 || isOpening(mark)) return;
    if (end !== -1 || mark === CLOSING_BRACE) throw new SyntaxError('a bracket is closed by one of a different kind');
    if (mark === CLOSING_BRACKET) end = at;
    const element = json.slice(from, at);
    from = at + 1;
    if (at === end && elements.length === 0 && element.trim() === '') return;
    if (elements.length === max) throw new RangeError(`there are more than ${max} elements`);
    elements.push(element);
  });
  if (end === -1) throw new SyntaxError('the array does not end');
  if (json.slice(end + 1).trim() !== '') throw new SyntaxError('there is text after the array');
  return elements;
}
