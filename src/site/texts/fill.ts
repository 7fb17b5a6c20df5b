/** Replaces `{name}` in a text by the value of that name; names without a value stay, such as those in the path of a route. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
