import { expect, test } from 'vitest';
import { startJourneys } from './journeys.ts';

const { createAccount, openAs } = await startJourneys();

test('a message stays while the pointer or the focus is on it, and goes after that', async () => {
  const person = await createAccount('slow-reader');
  await using visitor = await openAs(person, '/account', 'Profile');
  const { page } = visitor;
  const main = page.getByRole('main');
  const name = main.getByRole('textbox', { name: 'Name', exact: true });
  const message = page.getByText('Profile saved');
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  await page.clock.install();
  // Where the message comes, which a pointer at rest does not read.
  await page.mouse.move(1_100, 760);
  await name.fill('Ada');
  await page.keyboard.press('Enter');
  await message.waitFor();
  await page.clock.runFor(30_000);
  await message.waitFor({ state: 'detached' });
  for (const [value, stay, leave] of [
    ['Ada L.', () => message.hover(), () => page.mouse.move(640, 8)],
    ['Ada Lovelace', () => dismiss.focus(), () => main.focus()],
  ] as const) {
    await name.fill(value);
    await main.getByRole('button', { name: 'Save', exact: true }).first().click();
    await message.waitFor();
    await stay();
    await page.clock.runFor(30_000);
    expect(await message.isVisible()).toBe(true);
    await leave();
    await page.clock.runFor(30_000);
    await message.waitFor({ state: 'detached' });
  }
  visitor.expectNoFaults();
});
