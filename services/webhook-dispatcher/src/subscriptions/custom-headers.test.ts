import { HttpError } from '@atrium/service-kit/http-error';
import { startReceiver } from '@atrium/testkit/receiver';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leased, openTestSender, testDeliver, testKeyRing } from '../sending/sender.fixture.ts';
import { assertCustomHeaders } from './custom-headers.ts';
import { sealHeaders } from './secrets.ts';

function check(headers: Record<string, string>): string {
  try {
    assertCustomHeaders(headers);
    return 'accepted';
  } catch (error) {
    return error instanceof HttpError ? error.message : 'fault';
  }
}

const numbered = (count: number, value = 'x') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, value]));

describe('custom headers', () => {
  it('may be ten of any name that is not reserved', () => {
    expect(check({})).toBe('accepted');
    expect(check({ Authorization: 'Bearer a.b-c', 'x-api-key': '1 2\t3' })).toBe('accepted');
    expect(check(numbered(10))).toBe('accepted');
    expect(check(numbered(11))).toBe('Headers must not be more than 10');
  });

  it.each(
    [
      'Host',
      'content-length',
      'Content-Type',
      'content-encoding',
      'Transfer-Encoding',
      'connection',
      'Keep-Alive',
      'TE',
      'trailer',
      'upgrade',
      'traceparent',
      'Expect',
      'Proxy-Authorization',
      'user-agent',
      'Service-Signature',
      'SERVICE-EVENT',
      'webhook-id',
      'Webhook-Signature',
    ].map((name) => [name]),
  )('must not set %s', (name) => {
    expect(check({ [name]: 'x' })).toBe(`Headers must not set ${name}`);
  });

  it.each(['', 'a b', 'a:b', ':path', 'a\r\nb', 'ä', 'x'.repeat(101), 'a,b'])(
    'must not be named %j',
    (name) => expect(check({ [name]: 'x' })).toMatch(/^Headers must (have names|not set)/),
  );

  it.each(['', ' x', 'x ', 'a\r\nb: c', 'a\nb', 'a\0b', 'ä', 'x'.repeat(1025)])(
    'must not have the value %j',
    (value) => expect(check({ 'X-A': value })).toMatch(/^Headers must give X-A a value/),
  );

  it('must not repeat a name or exceed the total length', () => {
    expect(check({ 'X-A': '1', 'x-a': '2' })).toBe('Headers must not name x-a twice');
    expect(check(numbered(5, 'y'.repeat(1_000)))).toContain('longer than 4096');
    const longNames = Array.from({ length: 10 }, (_, n) => [`${n}`.repeat(100), 'y'.repeat(310)]);
    expect(check(Object.fromEntries(longNames))).toContain('longer than 4096');
  });

  it('arrive as they were accepted', async () => {
    await using receiver = await startReceiver();
    await using sender = openTestSender();
    const keyRing = testKeyRing();
    const deliver = testDeliver(keyRing, sender.send);
    const token = fc.stringMatching(/^[!#$%&'*+.^`|~0-9A-Za-z-]{1,12}$/);
    const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(token, value, { maxKeys: 10 }), async (headers) => {
        fc.pre(check(headers) === 'accepted');
        const endpoint = { sealedHeaders: sealHeaders(keyRing, 'whk_1', headers) };
        const { outcome } = await deliver(leased(keyRing, receiver.url, { endpoint }));
        expect(outcome).toBe('delivered');
        const got = receiver.requests.at(-1)?.headers ?? {};
        for (const [name, sent] of Object.entries(headers)) {
          expect(got[name.toLowerCase()]).toBe(sent);
        }
        expect(got).toMatchObject({ 'service-event': 'note.shared', 'webhook-id': 'dlv_1' });
      }),
      { numRuns: 100 },
    );
  });
});
