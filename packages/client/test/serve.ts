import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Serves what takes a Request and returns a Response, as frameworks of the web standards do. */
export function serveApp(handle: (request: Request) => Response | Promise<Response>): void {
  const server = createServer((incoming, outgoing) => {
    const answer = async () => {
      const { method = 'GET', url = '/' } = incoming;
      const headers = new Headers(incoming.headers as Record<string, string>);
      const body = await buffer(incoming);
      const request = new Request(`http://127.0.0.1${url}`, { method, headers, body });
      const response = await handle(request);
      outgoing.writeHead(response.status).end(Buffer.from(await response.arrayBuffer()));
    };
    answer().catch((error: unknown) => {
      console.error(error);
      outgoing.destroy();
    });
  });
  // oxlint-disable-next-line no-restricted-properties -- the entry of a process of its own
  server.listen(Number(process.env['PORT']));
}
