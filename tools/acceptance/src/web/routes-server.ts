// Serves the route handlers of a folder as Next.js does: app/{path}/route.js exports GET.
import { createServer } from 'node:http';
import { join } from 'node:path';

interface Route {
  GET(request: Request): Promise<Response>;
}

const [folder = '', port = ''] = process.argv.slice(2);
const origin = `http://127.0.0.1:${port}`;

const server = createServer((incoming, outgoing) => {
  const answer = async () => {
    const url = new URL(incoming.url ?? '/', origin);
    const route = (await import(join(folder, 'app', url.pathname, 'route.js'))) as Route;
    const headers = { cookie: incoming.headers.cookie ?? '' };
    const response = await route.GET(new Request(url, { headers }));
    outgoing.setHeaders(response.headers).writeHead(response.status);
    outgoing.end(await response.text());
  };
  answer().catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    outgoing.destroy();
  });
});
server.listen(Number(port), '127.0.0.1');
