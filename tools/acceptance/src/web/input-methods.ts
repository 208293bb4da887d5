import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { perturbedSeed } from '../perturbed/perturb.ts';

/** How a person uses the controls of a page. */
export interface InputMethod {
  name: 'mouse' | 'keyboard';
  /** Presses a button, or follows a link. */
  press(control: Locator): Promise<void>;
  /** Puts a value in the place of what a field holds. */
  fill(field: Locator, value: string): Promise<void>;
  /** Chooses an option by its text. */
  choose(field: Locator, option: string): Promise<void>;
}

export const mouse: InputMethod = {
  name: 'mouse',
  press: (control) => control.click(),
  fill: (field, value) => field.fill(value),
  choose: async (field, option) => {
    await field.selectOption(option);
  },
};

export const keyboard: InputMethod = {
  name: 'keyboard',
  press: async (control) => {
    await tabTo(control);
    await control.page().keyboard.press('Enter');
  },
  fill: async (field, value) => {
    await tabTo(field);
    const keys = field.page().keyboard;
    if ((await field.getAttribute('type')) === 'date') {
      // Day, month and year are typed one after the other.
      await keys.type(value.split('-').toReversed().join(''));
    } else {
      await keys.press('Control+A');
      await keys.type(value);
    }
  },
  choose: async (field, option) => {
    await tabTo(field);
    await field.page().keyboard.type(option);
  },
};

/**
 * What whole journeys use: the keyboard, which also reaches what something covers, and by which nothing is reached by
 * chance. `npm run test:perturbed` uses the mouse.
 */
export const inputMethod: InputMethod = perturbedSeed === undefined ? keyboard : mouse;

const TABS_MAX = 40;

/** Presses Tab until the control has the focus, and shows it. */
async function tabTo(control: Locator): Promise<void> {
  await control.waitFor();
  const page = control.page();
  const focused = control.and(page.locator(':focus-visible'));
  for (let tabs = 0; tabs < TABS_MAX && (await focused.count()) === 0; tabs++) {
    await page.keyboard.press('Tab');
    // Dialogs look in a timer where Tab left a field for dates: no person is faster than that.
    await page.evaluate('new Promise((done) => setTimeout(done))');
  }
  expect(await focused.count(), `Tab reaches ${String(control)}`).toBe(1);
}
