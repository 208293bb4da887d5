// The receiver of the webhook benchmarks, in a process of its own: the least that can be done for a
// request. It answers 204 and records what the event's referrer says: which
// event it is (n=…) and when it was made (atMs=…), see `referrerOf`.
import { createServer, type Socket } from 'node:net';

const ANSWER = 'HTTP/1.1 204 No Content\r\n\r\n';

let received = 0;
let firstMs = 0;
let lastMs = 0;
const seen = new Set<number>();
let latenciesMs: number[] = [];

function note(body: string): void {
  received += 1;
  lastMs = performance.timeOrigin + performance.now();
  if (received === 1) firstMs = lastMs;
  const n = numberAfter(body, '?n=');
  if (n !== undefined) seen.add(n);
  const atMs = numberAfter(body, '&atMs=');
  if (atMs !== undefined) latenciesMs.push(lastMs - atMs);
}

function numberAfter(text: string, marker: string): number | undefined {
  const start = text.indexOf(marker);
  return start < 0 ? undefined : Number.parseFloat(text.slice(start + marker.length, start + 40));
}

function serve(socket: Socket): void {
  let pending = '';
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1');
    for (;;) {
      const headEnd = pending.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const head = pending.slice(0, headEnd).toLowerCase();
      const end = headEnd + 4 + (numberAfter(head, 'content-length:') ?? 0);
      if (pending.length < end) return;
      note(pending.slice(headEnd + 4, end));
      socket.write(ANSWER);
      pending = pending.slice(end);
    }
  });
}

const server = createServer(serve);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port });
});
process.on('message', (message) => {
  if (message === 'reset') {
    received = 0;
    seen.clear();
    latenciesMs = [];
  }
  const report = { received, distinct: seen.size, firstMs, lastMs };
  // The request is echoed, so that its answer is recognised.
  const answer = { ...report, [String(message)]: true };
  process.send?.(message === 'latencies' ? { ...answer, latenciesMs } : answer);
});
process.on('SIGTERM', () => process.exit(0));
