/** Replaces `{name}` in a text by the value with that name. Names without a value stay, such as those in a route's path. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
