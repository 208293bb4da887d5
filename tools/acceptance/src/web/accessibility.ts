import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Dark differs from light in nothing but colours, and a phone in all but colours. */
const COLORS = ['color-contrast', 'link-in-text-block'];
const ONLY_COLORS = { runOnly: COLORS };
const NO_COLORS = { rules: Object.fromEntries(COLORS.map((rule) => [rule, { enabled: false }])) };
const VIEWS = [
  { name: 'light', colorScheme: 'light', width: 1280, height: 800, rules: {} },
  { name: 'dark', colorScheme: 'dark', width: 1280, height: 800, rules: ONLY_COLORS },
  { name: 'narrow', colorScheme: 'light', width: 390, height: 844, rules: NO_COLORS },
] as const;

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Whether one sees all of it without scrolling. */
export async function isInView(element: Locator): Promise<boolean> {
  const { y = -1, height = 0 } = (await element.boundingBox()) ?? {};
  return y >= 0 && y + height <= (element.page().viewportSize()?.height ?? 0);
}

/**
 * Expects that axe finds nothing in this state of a page, in light, in dark and on a phone, and that
 * the phone needs no scrolling sideways. With SCREENSHOTS set to a folder it also takes a picture of each.
 */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'] ?? '';
  if (folder !== '') await mkdir(folder, { recursive: true });
  await page.getByRole('heading', { level: 1 }).waitFor();
  // A dialog is there a moment before its name.
  const named = '[role=dialog]:is([aria-label], [aria-labelledby])';
  const dialogs = await page.locator('[role=dialog]').count();
  await expect.poll(() => page.locator(named).count()).toBeGreaterThanOrEqual(dialogs);
  // One that is fading would be content outside of the landmarks.
  await expect.poll(() => page.locator('[role=tooltip]').count()).toBe(0);
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  for (const { name, colorScheme, width, height, rules } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    // What the server renders follows the system by itself.
    if ((await page.locator('html[data-mantine-color-scheme]').count()) > 0) {
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    }
    await page.setViewportSize({ width, height });
    if (folder !== '') {
      await page.screenshot({ path: join(folder, `${state}-${name}.png`), fullPage: true });
    }
    // What passes need not be described, which takes longer than to check it.
    const options = JSON.stringify({ ...rules, resultTypes: ['violations'], preload: false });
    const violations = await page.evaluate<Violation[]>(
      `axe.run(document, ${options}).then((result) => result.violations)`,
    );
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    );
    expect(found, `${state}, ${name}`).toEqual([]);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow), `${state}, ${name}: overflow`).toBe(0);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(VIEWS[0]);
}
