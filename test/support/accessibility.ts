import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { LONG_FORMS } from './long-forms.ts';

/** Rules that depend on the color scheme. */
const COLORS = ['color-contrast', 'link-in-text-block'];

/** Window sizes and color schemes in which pages are checked. In the first one, every rule is checked. */
export const VIEWS = [
  { width: 375, colorScheme: 'dark' },
  { width: 1_280, colorScheme: 'light' },
  ...(LONG_FORMS
    ? ([
        { width: 375, colorScheme: 'light' },
        { width: 1_280, colorScheme: 'dark' },
      ] as const)
    : []),
] as const;

/**
 * Returns axe's violations on a page whose content security policy is bypassed.
 * @param onlyColors checks only the rules that depend on the color scheme
 */
export async function findViolations(
  page: Page,
  { onlyColors = false } = {},
): Promise<{ id: string; html: string[] }[]> {
  await page.evaluate(axe.source);
  const options = onlyColors ? JSON.stringify({ runOnly: COLORS }) : '';
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
  );
  return found.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) }));
}
