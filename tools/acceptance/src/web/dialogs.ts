import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const STEPS_MAX = 12;

export const expectFocus = (element: Locator) =>
  expect
    .poll(() => element.evaluate((node) => node.ownerDocument.activeElement === node), {
      message: `${String(element)} has the focus`,
    })
    .toBe(true);

/** The focus goes into dialogs and menus a moment after they are shown. */
const IN_DIALOG = '[role=dialog] :focus';
const IN_MENU = '[role=menu] :focus';

/** Uses the dialogs and menus of a page by keyboard. */
export function dialogsOf(page: Page) {
  const dialog = page.getByRole('dialog');

  const untilShown = (where: string) => page.locator(where).first().waitFor({ state: 'attached' });

  /** Chooses an entry of the menu that is open: arrows, then Enter. */
  const choose = async (name: string) => {
    const entry = page.getByRole('menuitem', { name, exact: true });
    await untilShown(IN_MENU);
    const focused = entry.and(page.locator(':focus'));
    for (let steps = 0; steps < STEPS_MAX && (await focused.count()) === 0; steps += 1) {
      await page.keyboard.press('ArrowDown');
    }
    await expectFocus(entry);
    await page.keyboard.press('Enter');
  };

  /** Presses a button, and an entry of the menu that it opens. */
  const open = async (opener: Locator, entry?: string) => {
    await opener.focus();
    await page.keyboard.press('Enter');
    if (entry === undefined) await untilShown(`${IN_DIALOG}, ${IN_MENU}`);
    else await choose(entry);
  };

  /** Expects that the focus goes into the dialog that opens, and stays in it. */
  const expectTrap = async () => {
    const inside = dialog.locator(':focus');
    await inside.waitFor();
    for (const key of ['Shift+Tab', 'Tab', 'Tab']) {
      await page.keyboard.press(key);
      expect(await inside.count(), `${key} stays inside`).toBe(1);
    }
  };

  return {
    /** Goes to a page as a link does, without loading the application again: the page takes the focus. */
    goTo: async (path: string) => {
      const { pathname, search } = new URL(page.url());
      if (pathname + search === path) return;
      await page.evaluate(
        `document.activeElement.blur(); history.pushState({}, '', ${JSON.stringify(path)})`,
      );
      await expectFocus(page.getByRole('main'));
    },
    dialog,
    button: (name: string) => page.getByRole('button', { name, exact: true }).first(),
    inDialog: (name: string) => dialog.getByRole('button', { name, exact: true }),
    open,
    expectTrap,

    /** Opens a menu and leaves it without choosing. */
    leaveMenu: async (opener: Locator) => {
      await open(opener);
      await untilShown(IN_MENU);
      await page.keyboard.press('End');
      await page.keyboard.press('Escape');
      await expectFocus(opener);
    },

    /** Goes round in the dialog that opens and leaves it: the focus goes back to what opened it. */
    leaveDialog: async (opener: Locator) => {
      await expectTrap();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expectFocus(opener);
    },
  };
}
