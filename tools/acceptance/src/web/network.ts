import { gzipSync } from 'node:zlib';
import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** Latency in ms, throughput in bytes a second. */
const SLOW = {
  offline: false,
  latency: 200,
  downloadThroughput: 100_000,
  uploadThroughput: 50_000,
};

/** Gives a page the network of a phone in the countryside. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW);
}

/** Follows the requests of a page from now on. @returns waits until those to such addresses are answered */
export function followRequests(page: Page, address: RegExp): () => Promise<void> {
  const open = new Set<Request>();
  const end = (request: Request) => void open.delete(request);
  page.on('request', (request) => {
    if (address.test(request.url())) open.add(request);
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return () => expect.poll(() => [...open].map((request) => request.url())).toEqual([]);
}

/** How far the contents of a page have jumped so far, without what a person has caused: its CLS. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
  })`);
}

/** What the answers of a service carry, for those that a test gives in its place. */
export function answerHeaders(webUrl: string): Record<string, string> {
  return {
    'access-control-allow-origin': webUrl,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'error-code, x-request-id',
  };
}

/** A rejection that a test gives in the place of a service. */
export const REJECTION = { error: 'Conflict', message: 'Not now' };

/** From now on sums up the script that a page loads: its size in bytes, compressed. */
export function watchScripts(page: Page): () => Promise<number> {
  const bodies = new Map<string, Promise<Buffer>>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') bodies.set(response.url(), response.body());
  });
  return async () => {
    let sum = 0;
    for (const body of await Promise.all(bodies.values()))
      sum += gzipSync(body, { level: 9 }).length;
    return sum;
  };
}
