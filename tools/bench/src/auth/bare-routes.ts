// Baselines of the auth benchmarks: Fastify with nothing around it. /bare answers a user, /jwt does
// so after a check of the access token that @fastify/jwt has cached, /sign signs an access token.
import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { CurrentUser } from '@atrium/contracts/auth/accounts';
import jwt from '@fastify/jwt';
import { createSigner } from 'fast-jwt';
import { fastify } from 'fastify';

const TOKENS = 200;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const names = { iss: 'atrium', aud: 'atrium' };
const user = {
  id: 'usr_00000000000000000000000000',
  name: 'Ada Lovelace',
  username: 'ada',
  email: 'ada@example.com',
  bio: '',
  avatar: null,
  profileLinks: [],
  emailVerified: true,
  createdAt: new Date(0).toISOString(),
};

const server = fastify();
await server.register(jwt, {
  secret: {
    private: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    public: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  },
  sign: { algorithm: 'EdDSA', ...names, expiresIn: '1h' },
  verify: { algorithms: ['EdDSA'], allowedIss: names.iss, allowedAud: names.aud, cache: 10_000 },
});
const schema = { response: { 200: CurrentUser } };
server.get('/bare', { schema }, async () => user);
server.get(
  '/jwt',
  {
    schema,
    onRequest(request, _reply, done) {
      try {
        server.jwt.verify((request.headers.authorization ?? '').slice('Bearer '.length));
        done();
      } catch {
        done(new Error('Unauthorized'));
      }
    },
  },
  async () => user,
);
const sign = createSigner({
  key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  algorithm: 'EdDSA',
  expiresIn: '15m',
});
server.get('/sign', async () => ({ access_token: sign({ sub: user.id, sid: 'gnt_1', ...names }) }));
await server.listen({ port: 0, host: '127.0.0.1' });
process.on('SIGTERM', () => void server.close().then(() => process.exit(0)));
const { port } = server.server.address() as AddressInfo;
const tokens = Array.from({ length: TOKENS }, (_, n) =>
  server.jwt.sign({ sub: `usr_${n}`, sid: `ses_${n}` }),
);
process.send?.({ origin: `http://127.0.0.1:${port}`, tokens });
