/** Formats JSON for people. @returns null for a text that is not JSON */
export function formatJson(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return null;
  }
}
