import type { Page } from 'playwright-core';
import { type InputMethod, mouse } from './input-methods.ts';

const ENTRIES_MAX = 12;

/** Chooses an entry of the menu with which the sidebar ends: Account, an appearance, a language, Log out. */
export async function chooseInAccountMenu(
  page: Page,
  name: string,
  inputMethod: InputMethod = mouse,
): Promise<void> {
  await inputMethod.press(page.getByRole('button', { name: /^(Account of|Konto von) / }));
  const entry = page.getByRole('menu').locator('[role^=menuitem]', { hasText: name });
  await entry.waitFor();
  if (inputMethod.name === 'mouse') return entry.click();
  const focused = entry.and(page.locator(':focus'));
  for (let steps = 0; steps < ENTRIES_MAX && (await focused.count()) === 0; steps += 1) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

export const logOut = (page: Page, inputMethod?: InputMethod) =>
  chooseInAccountMenu(page, 'Log out', inputMethod);
