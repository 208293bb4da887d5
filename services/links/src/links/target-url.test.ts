import { describe, expect, test } from 'vitest';
import { readTargetUrl } from './target-url.ts';

describe('a target', () => {
  test.each([
    ['https://example.com', 'https://example.com'],
    ['HTTP://Example.com/A%20b', 'HTTP://Example.com/A%20b'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://öbb.example/', 'https://xn--bb-eka.example/'],
    ['https://škoda.example/', 'https://xn--koda-f6a.example/'],
    ['https://\nexample.com/', 'https://example.com/'],
    ['https://example.com/a b', 'https://example.com/a%20b'],
    ['https://exa\nmple.com/\r\nset-cookie: a', 'https://example.com/set-cookie:%20a'],
    ['https:example.com', 'https://example.com/'],
    ['https://example.com\\@evil.example', 'https://example.com/@evil.example'],
  ])('%j leads to %s', (text, url) => {
    expect(readTargetUrl(text)).toEqual({ kind: 'ok', url });
  });

  test('refuses a target that is too long once it is encoded for a header', () => {
    const text = `https://example.com/${'ä'.repeat(1000)}`;
    expect(readTargetUrl(text)).toMatchObject({ kind: 'refused' });
  });
});
