import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { rawRequest } from '../../test/raw-request.ts';
import { startTestServer } from '../../test/test-server.ts';
import { createMetrics, startMetricsServer } from '../metrics.ts';
import { beginShutdown } from './draining.ts';

describe('health', () => {
  it('is alive and ready', async () => {
    await using app = await startTestServer(() => undefined, {
      ready: { database: async () => {} },
    });
    const live = await fetch(`${app.origin}/livez`);
    expect([live.status, await live.json()]).toEqual([200, { status: 'alive' }]);
    const ready = await fetch(`${app.origin}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  });

  it('is alive but not ready while a dependency is down', async () => {
    const ready = {
      database: () => Promise.reject(new Error('secret address')),
      redis: async () => {},
    };
    await using app = await startTestServer(() => undefined, { ready });
    expect((await fetch(`${app.origin}/livez`)).status).toBe(200);
    const answer = await fetch(`${app.origin}/readyz`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      error: 'Service Unavailable',
      message: 'Not ready: database unavailable',
    });
  });
});

describe('the log of readiness probes', () => {
  const logged = (logs: string[]) =>
    logs
      .map((line) => JSON.parse(line) as { level: string; msg: string; check?: string })
      .filter(({ check }) => check !== undefined)
      .map(({ level, msg }) => `${level} ${msg}`);

  it('has one line per change, a warning only after the service has been ready', async () => {
    let isUp = false;
    const check = () => (isUp ? Promise.resolve() : Promise.reject(new Error('away')));
    await using app = await startTestServer(() => undefined, { ready: { database: check } });
    const probe = async () => (await fetch(`${app.origin}/readyz`)).status;
    const statuses = [await probe(), await probe()];
    isUp = true;
    statuses.push(await probe(), await probe());
    isUp = false;
    statuses.push(await probe(), await probe());
    expect(statuses).toEqual([503, 503, 200, 200, 503, 503]);
    expect(logged(app.logs)).toEqual([
      'info waiting to become ready',
      'info ready',
      'warn not ready',
    ]);
    expect(app.logs.join('')).not.toContain('request refused');
  });
});

describe('shutting down', () => {
  it('is unready, but answers requests and closes their connections', async () => {
    await using app = await startTestServer((server) => {
      server.get('/thing', () => ({ ok: true }));
    });
    beginShutdown(app.server);
    const unready = await fetch(`${app.origin}/readyz`);
    expect(unready.status).toBe(503);
    expect(unready.headers.get('retry-after')).toBe('1');
    expect(await unready.json()).toEqual({
      error: 'Service Unavailable',
      message: 'The service is shutting down, please try again',
    });
    for (const path of ['/thing', '/livez']) {
      const answer = await fetch(`${app.origin}${path}`);
      expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    }
  });

  it('finishes requests in progress and does not wait for idle connections', async () => {
    const entered = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const app = await startTestServer((server) => {
      server.get('/slow', async () => {
        entered.resolve();
        await release.promise;
        return { done: true };
      });
    });
    using agent = Object.assign(new Agent({ keepAlive: true }), {
      [Symbol.dispose]: () => agent.destroy(),
    });
    const status = new Promise<number | undefined>((resolve, reject) => {
      httpRequest(`${app.origin}/slow`, { agent }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      })
        .once('error', reject)
        .end();
    });
    await entered.promise;
    beginShutdown(app.server);
    const closed = app.server.close();
    release.resolve();
    expect(await status).toBe(200);
    await closed;
  });

  it('does not wait for a connection on which nothing was sent', async () => {
    const app = await startTestServer(() => undefined);
    const silent = connect(app.port, '127.0.0.1');
    await once(silent, 'connect');
    const ended = once(silent, 'close');
    silent.resume();
    await app.server.close();
    await ended;
  });
});

describe('browsers and tools', () => {
  it('allows exactly the configured origins, with credentials', async () => {
    await using app = await startTestServer(() => undefined);
    const from = (origin: string) => fetch(`${app.origin}/livez`, { headers: { origin } });
    const known = await from('https://app.example.com');
    expect(known.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(known.headers.get('access-control-allow-credentials')).toBe('true');
    const foreign = await from('https://app.example.com.evil.test');
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('lets browsers read errors too', async () => {
    await using app = await startTestServer(() => undefined);
    const headers = { origin: 'https://app.example.com' };
    const answer = await fetch(`${app.origin}/nowhere`, { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  });

  it('lets scripts of other origins send a key and read the headers that clients need', async () => {
    await using app = await startTestServer(() => undefined);
    const origin = 'https://app.example.com';
    const asked = await fetch(`${app.origin}/things`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,idempotency-key,if-match',
      },
    });
    expect(asked.headers.get('access-control-allow-headers')?.split(/, */)).toEqual(
      expect.arrayContaining(['authorization', 'idempotency-key', 'if-match']),
    );
    const answer = await fetch(`${app.origin}/livez`, { headers: { origin } });
    expect(answer.headers.get('access-control-expose-headers')?.split(/, */)).toEqual(
      expect.arrayContaining([
        'error-code',
        'x-request-id',
        'etag',
        'retry-after',
        'ratelimit',
        'ratelimit-policy',
        'idempotent-replayed',
      ]),
    );
  });

  it('serves an OpenAPI 3.1 document and its reference page', async () => {
    await using app = await startTestServer(() => undefined);
    const document: unknown = await (await fetch(`${app.origin}/openapi.json`)).json();
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Atrium test', description: expect.stringContaining('Idempotency-Key') },
    });
    const page = await fetch(`${app.origin}/docs`);
    expect(page.headers.get('content-type')).toContain('text/html');
    // The page loads its own scripts and styles; other responses allow nothing.
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const other = await fetch(`${app.origin}/livez`);
    expect(other.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('counts requests by route, not by path, on a port of its own', async () => {
    const registry = createMetrics();
    await using metrics = await startMetricsServer({ port: 0, host: '127.0.0.1', registry });
    await using app = await startTestServer(
      (server) => {
        server.get('/things/:id', () => ({ ok: true }));
      },
      { metrics: registry },
    );
    await rawRequest(app.port, 'GET /things/42 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const text = await (await fetch(`${metrics.url}/metrics`)).text();
    expect(text).toContain('count{method="GET",route="/things/:id",status="200"} 1');
    expect(text).not.toContain('42"');
    expect((await fetch(`${metrics.url}/other`)).status).toBe(404);
    expect((await fetch(`${app.origin}/metrics`)).status).toBe(404);
  });

  it('never logs a path, which may hold a secret', async () => {
    await using app = await startTestServer((server) => {
      server.get('/reset/:token', () => ({ ok: true }));
    });
    await fetch(`${app.origin}/reset/s3cr3t?code=s3cr3t`);
    expect(app.logs.join('')).toContain('/reset/:token');
    expect(app.logs.join('')).not.toContain('s3cr3t');
  });
});
