import { crc32, deflateSync } from 'node:zlib';
import { Transformer } from '@napi-rs/image';
import { afterAll, expect, test } from 'vitest';
import { makeAccount, startTestApp } from '../../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const { accessToken, email } = await makeAccount(app, 'pictured');

/** Red on the left, blue on the right. */
function halves(width: number, height: number): Transformer {
  const data = Buffer.alloc(width * height * 4);
  for (let at = 0; at < data.length; at += 4) {
    const isLeft = (at / 4) % width < width / 2;
    data.set(isLeft ? [255, 0, 0, 255] : [0, 0, 255, 255], at);
  }
  return Transformer.fromRgbaPixels(data, width, height);
}

async function upload(image: Buffer, type = 'image/png', token = accessToken) {
  const response = await app.server.inject({
    method: 'PUT',
    url: '/user/me/avatar',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    payload: image,
  });
  return { status: response.statusCode, body: response.json() };
}

const fetchAvatar = (url: string) => app.server.inject(new URL(url).pathname);

async function stored(url: string) {
  const image = new Transformer((await fetchAvatar(url)).rawPayload);
  const { width, height, format } = await image.metadata();
  const raw = await image.rawPixels();
  const channels = raw.length / (width * height);
  const isRed = (x: number, y: number) => (raw[(y * width + x) * channels] ?? 0) > 200;
  return { width, height, format, isRed };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A black PNG of one bit a pixel: 25 kB for what takes 800 MB in memory. */
function pixelBomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('keeps the centre square of an upload, and serves it to anybody for a year', async () => {
  const answer = await upload(await halves(900, 600).png());
  expect(answer.status).toBe(200);
  expect(answer.body.avatar).toMatch(/^http:\/\/auth\.example\/avatars\/[\w-]{22}$/);
  const { width, height, format, isRed } = await stored(answer.body.avatar);
  expect([width, height, format]).toEqual([512, 512, 'webp']);
  expect([isRed(10, 256), isRed(240, 256), isRed(270, 256)]).toEqual([true, true, false]);
  const served = await fetchAvatar(answer.body.avatar);
  expect(served.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
  });
  const me = await app.call('GET', '/user/me', { token: accessToken });
  expect(me.body['avatar']).toBe(answer.body.avatar);
  const body = { email, password: 'a lantern in the fog' };
  const login = await app.call('POST', '/auth/login', { body });
  expect(login.body['user']).toMatchObject({ avatar: answer.body.avatar });
});

test.each([
  ['image/png', () => halves(40, 30).grayscale().png(), 30],
  ['image/jpeg', () => halves(700, 1200).jpeg(), 512],
  ['image/webp', () => halves(300, 300).webpLossless(), 300],
])('accepts %s and does not enlarge it', async (type, encode, side) => {
  const { status, body } = await upload(await encode(), type);
  expect(status).toBe(200);
  const { width, height } = await stored(body.avatar);
  expect([width, height]).toEqual([side, side]);
});

test('turns a photo upright and stores nothing but its pixels', async () => {
  const photo = await halves(200, 100).jpeg(95);
  const isRotated = '4d4d002a000000080001011200030000000100060000' + '00000000';
  const exif = Buffer.concat([
    Buffer.from('Exif\0\0', 'latin1'),
    Buffer.from(isRotated, 'hex'),
    Buffer.from('Canon at 52.5 N 13.4 E'),
  ]);
  const segment = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  const withExif = Buffer.concat([photo.subarray(0, 2), segment, exif, photo.subarray(2)]);
  const { body } = await upload(withExif, 'image/jpeg');
  const { isRed } = await stored(body.avatar);
  expect([isRed(50, 5), isRed(50, 95)]).toEqual([true, false]);
  const { rawPayload } = await fetchAvatar(body.avatar);
  expect(rawPayload.includes('Canon')).toBe(false);
});

test('stores at most 200 kB, also of noise', async () => {
  const noise = crypto.getRandomValues(Buffer.alloc(65_536));
  const data = Buffer.concat(Array.from({ length: 16 }, () => noise));
  const { status, body } = await upload(await Transformer.fromRgbaPixels(data, 512, 512).png());
  expect(status).toBe(200);
  expect((await fetchAvatar(body.avatar)).rawPayload.length).toBeLessThanOrEqual(200_000);
});

test('a new upload gets a new URL and the old one is gone', async () => {
  const first = (await upload(await halves(20, 20).png())).body.avatar;
  const second = (await upload(await halves(20, 20).png())).body.avatar;
  expect(second).not.toBe(first);
  const statuses = [(await fetchAvatar(first)).statusCode, (await fetchAvatar(second)).statusCode];
  expect(statuses).toEqual([404, 200]);
});

test.each([
  ['DELETE /user/me/avatar', () => app.call('DELETE', '/user/me/avatar', { token: accessToken })],
  [
    'avatar: null in the profile',
    () => app.call('PATCH', '/user/me', { token: accessToken, body: { avatar: null } }),
  ],
])('%s removes the uploaded image', async (_name, remove) => {
  const url = (await upload(await halves(20, 20).png())).body.avatar;
  const answer = await remove();
  expect([answer.status, answer.body['avatar']]).toEqual([200, null]);
  expect((await fetchAvatar(url)).statusCode).toBe(404);
});

test('a URL sent back with the profile keeps the image', async () => {
  const url = (await upload(await halves(20, 20).png())).body.avatar;
  const avatar = url.replace('http:', 'https:');
  await app.call('PATCH', '/user/me', { token: accessToken, body: { avatar } });
  expect((await fetchAvatar(url)).statusCode).toBe(200);
});

test('refuses a pixel bomb before it is decoded', async () => {
  const before = process.memoryUsage.rss();
  const answer = await upload(pixelBomb(14_000));
  expect([answer.status, answer.body.message]).toEqual([
    422,
    'Image must have at most 25 million pixels and 10,000 on each side',
  ]);
  // Decoded, it takes 784 MB; the process itself may grow meanwhile.
  expect(process.memoryUsage.rss() - before).toBeLessThan(300_000_000);
});

test('refuses what is not an image, a damaged one, another type and too many bytes', async () => {
  const png = await halves(300, 300).png();
  const damaged = Buffer.concat([png.subarray(0, 40), Buffer.alloc(200)]);
  const answers = await Promise.all([
    upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    upload(damaged),
    upload(png, 'image/svg+xml'),
    upload(Buffer.from('{}'), 'application/json'),
    upload(Buffer.alloc(5_300_000)),
    upload(Buffer.alloc(0)),
    upload(png, 'image/png', 'not-a-token'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 415, 415, 413, 400, 401]);
  expect(answers[2]?.body.message).toBe('Content-Type must be image/png, image/jpeg or image/webp');
});

test('other routes still accept only JSON', async () => {
  const response = await app.server.inject({
    method: 'PATCH',
    url: '/user/me',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'image/png' },
    payload: await halves(20, 20).png(),
  });
  expect(response.statusCode).toBe(415);
});

test('the image goes with the account', async () => {
  const leaver = await makeAccount(app, 'leaver');
  const { body } = await upload(await halves(20, 20).png(), 'image/png', leaver.accessToken);
  await app.db.query('DELETE FROM accounts WHERE id = $1', [leaver.id]);
  expect((await fetchAvatar(body.avatar)).statusCode).toBe(404);
});

test('an image close to the size limit is read whatever one account may have in flight', async () => {
  const { accessToken: token } = await makeAccount(app, 'large');
  const { status } = await upload(Buffer.alloc(5 * 1024 * 1024 - 1), 'image/png', token);
  expect(status).toBeLessThan(429);
});
