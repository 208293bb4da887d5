import type { Figures } from '../figures.ts';
import type { Environment, Page } from './environment.ts';

type Locator = ReturnType<Page['locator']>;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A person who does one thing after the other without looking for it: clicks are counted, and keys that are not text. */
function handOn(page: Page) {
  let clicks = 0;
  return {
    page,
    clicks: () => clicks,
    async click(target: Locator) {
      clicks += 1;
      await target.first().click();
    },
    async press(key: string) {
      clicks += 1;
      await page.keyboard.press(key);
    },
    type: (text: string) => page.keyboard.type(text),
    button: (name: string | RegExp) => page.getByRole('button', { name }),
    link: (name: string | RegExp) => page.getByRole('link', { name }),
    see: (text: string | RegExp) => page.getByText(text).first().waitFor(),
  };
}

type Hand = ReturnType<typeof handOn>;
type Task = (hand: Hand, environment: Environment) => Promise<void>;

const recent = ({ page }: Hand) =>
  page.getByRole('region', { name: 'Continue writing' }).getByRole('link', { name: 'Shopping' });
const editor = ({ page }: Hand) => page.getByRole('textbox', { name: 'Note' });

/** Each begins at home and ends when its result is seen. */
const TASKS: Record<string, Task> = {
  'write a first note': async (hand) => {
    await hand.click(hand.button(/^New$/));
    await hand.click(hand.page.getByRole('menuitem', { name: 'New note' }));
    await hand.click(editor(hand));
    await hand.type('Tulips');
    await hand.see(/^Saved$/);
  },
  "edit yesterday's note": async (hand) => {
    await hand.click(recent(hand));
    await hand.click(editor(hand));
    await hand.press('Control+End');
    await hand.type('and bulbs');
    await hand.see(/^Saved$/);
  },
  'find a word': async (hand) => {
    await hand.press('Control+k');
    await hand.type('lamps');
    await hand.page.getByRole('option', { name: 'Shopping' }).waitFor();
    await hand.press('Enter');
    await editor(hand).waitFor();
  },
  'tick a task': async (hand) => {
    await hand.click(recent(hand));
    await hand.click(editor(hand).getByRole('checkbox', { name: 'lamps' }));
    await hand.see(/^Saved$/);
  },
  'add an image': async (hand) => {
    await hand.click(recent(hand));
    await hand.click(editor(hand));
    await hand.press('Control+End');
    await hand.type('\n/image');
    await hand.page.getByRole('option', { name: 'Image' }).waitFor();
    const choosing = hand.page.waitForEvent('filechooser');
    await hand.click(hand.page.getByRole('option', { name: 'Image' }));
    await (await choosing).setFiles({ name: 'plan.png', mimeType: 'image/png', buffer: PNG });
    await hand.page.getByRole('img', { name: 'plan.png' }).waitFor();
  },
  'invite a colleague': async (hand) => {
    await hand.click(hand.page.getByRole('treeitem', { name: 'Garden' }).getByText('Garden'));
    await hand.click(hand.link('Members'));
    await hand.click(hand.page.getByLabel('Email'));
    const email = `grace-${Date.now()}@example.com`;
    await hand.type(email);
    await hand.press('Enter');
    await hand.button(`Revoke the invitation to ${email}`).waitFor();
  },
  'see why a webhook fails, and resend': async (hand, { mendWebhook }) => {
    await hand.click(hand.link('Chat'));
    await hand.click(hand.link('note.shared'));
    await hand.see('the database is down');
    mendWebhook();
    await hand.click(hand.button(/^(Resend|Send now)$/));
    await hand.see('Status 200');
  },
  'make a link with a QR code': async (hand) => {
    await hand.click(hand.link('Links'));
    await hand.click(hand.button('New link'));
    await hand.click(hand.page.getByRole('dialog').getByLabel('Destination'));
    await hand.type('example.com/plans/autumn');
    await hand.press('Enter');
    await hand.page.getByRole('img', { name: /^QR code/ }).waitFor();
  },
  'undo a deletion': async (hand) => {
    await hand.click(hand.link('Links'));
    const row = hand.page.getByRole('listitem').getByRole('link');
    await hand.click(row);
    await hand.click(hand.button('Delete link'));
    await hand.click(hand.button('Undo'));
    await row.first().waitFor();
  },
  'change the password on a phone': async (hand, { account }) => {
    await hand.click(hand.button('Open menu'));
    await hand.click(hand.button(/^Account of /));
    await hand.click(hand.page.getByRole('menuitem', { name: 'Account' }));
    await hand.click(hand.link('Security'));
    await hand.click(hand.button('Change password'));
    const dialog = hand.page.getByRole('dialog');
    await hand.click(dialog.getByLabel('Current password'));
    await hand.type(account.password);
    await hand.click(dialog.getByLabel('New password'));
    account.password += ', again';
    await hand.type(account.password);
    await hand.press('Enter');
    await hand.see('Password changed.');
  },
};

/** Clicks and seconds of ten things that people do, by a hand that never waits. */
export async function measureTasks(environment: Environment): Promise<Figures> {
  const figures: Figures = {};
  await environment.failDelivery();
  for (const [name, run] of Object.entries(TASKS)) {
    const page = await environment.open(name.endsWith('phone') ? 'phone' : undefined);
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const hand = handOn(page);
    const startMs = performance.now();
    await run(hand, environment).catch((error: unknown) => {
      throw new Error(`${name} at ${page.url()}`, { cause: error });
    });
    figures[`${name}, s`] = (performance.now() - startMs) / 1000;
    figures[`${name}, clicks`] = hand.clicks();
    await page.close();
  }
  return figures;
}
