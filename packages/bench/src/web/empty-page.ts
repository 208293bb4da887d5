import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const SCRIPT = `document.querySelector('#root').innerHTML = '<h1>Empty</h1>';`;
const FILES: Record<string, { type: string; content: string }> = {
  '/': {
    type: 'text/html',
    content: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Empty</title>
<script type="module" crossorigin src="/assets/index.js"></script></head><body><div id="root"></div></body></html>`,
  },
  '/assets/index.js': { type: 'text/javascript', content: SCRIPT },
};

export interface EmptyPage extends AsyncDisposable {
  url: string;
}

/** What a build of an empty Vite page consists of, from a bare server: no page can be faster here. */
export async function serveEmptyPage(): Promise<EmptyPage> {
  const server = createServer((request, response) => {
    const file = FILES[request.url ?? ''];
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const length = Buffer.byteLength(file.content);
    response.writeHead(200, { 'content-type': file.type, 'content-length': length });
    response.end(request.method === 'HEAD' ? undefined : file.content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
