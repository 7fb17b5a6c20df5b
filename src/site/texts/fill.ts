/**
 * Replaces each `{name}` in a text with the value of that name. A name without a value, such as one in a route's path, is left as it is.
 */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
