import { afterEach, expect, test, vi } from 'vitest';
import { keepDraft, readDraft } from '../browser/links/draft.ts';
import { loadPreferred } from '../browser/texts/texts.tsx';

afterEach(() => vi.unstubAllGlobals());

test('a browser that keeps nothing shows the page in its language, and a link can be typed', async () => {
  const refuse = () => {
    throw new DOMException('Access is denied for this document', 'SecurityError');
  };
  const blocked = { getItem: refuse, setItem: refuse };
  vi.stubGlobal('localStorage', blocked);
  vi.stubGlobal('sessionStorage', blocked);
  vi.stubGlobal('navigator', { languages: ['de-AT'] });
  expect(await loadPreferred()).toMatchObject({ language: 'de' });
  keepDraft('usr_1', { url: 'example.com', slug: '' });
  expect(readDraft('usr_1')).toEqual({ url: '', slug: '' });
});
