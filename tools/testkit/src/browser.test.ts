import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { unpackChromium } from './chromium-files.ts';

test('runs scripts, renders text and has virtual authenticators', async () => {
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await page.setContent('<h1>Atrium</h1>');
  expect((await page.locator('h1').boundingBox())?.height).toBeGreaterThan(0);
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
  });
  expect(authenticatorId).not.toBe('');
});

test('reaches servers of this machine and no others', async () => {
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await expect(page.goto('http://example.com/')).rejects.toThrow('ERR_NAME_NOT_RESOLVED');
});

test('leaves one complete folder when it is unpacked twice at once', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'atrium-chromium-'));
  try {
    const [first, second] = await Promise.all([unpackChromium(cache), unpackChromium(cache)]);
    expect(second).toEqual(first);
    const folders = await readdir(cache);
    expect(folders).toHaveLength(1);
    expect(await readdir(join(cache, String(folders[0])))).toEqual(
      expect.arrayContaining(['chromium', 'fonts.conf', 'lib', 'libvk_swiftshader.so']),
    );
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
});
