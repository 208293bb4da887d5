import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretBox, KEY_RING_PATTERN, newSecret } from './secrets.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

describe('stored secrets', () => {
  it('open again, also after a newer key has come in front', () => {
    const old = key('old');
    const secret = newSecret();
    const sealed = createSecretBox(old).seal('whk_1', secret);
    expect(sealed).not.toContain(secret.slice(6));
    expect(createSecretBox(`${key('new')},${old}`).open('whk_1', sealed)).toBe(secret);
  });

  it('open for nobody else and not without their key', () => {
    const ring = key('k');
    const sealed = createSecretBox(ring).seal('whk_1', newSecret());
    expect(() => createSecretBox(ring).open('whk_2', sealed)).toThrow('unable to authenticate');
    expect(() => createSecretBox(key('k')).open('whk_1', sealed)).toThrow('unable to authenticate');
    expect(() => createSecretBox(key('other')).open('whk_1', sealed)).toThrow(
      'not in the key ring',
    );
  });

  it('have a key ring of a form that is checked', () => {
    const pattern = new RegExp(KEY_RING_PATTERN);
    expect(pattern.test(`${key('a')},${key('b')}`)).toBe(true);
    expect(pattern.test('a:short')).toBe(false);
    expect(pattern.test(key('a').slice(2))).toBe(false);
  });

  it('are whsec_ and 32 random bytes in base64', () => {
    const secret = newSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSecret()).not.toBe(secret);
  });
});
