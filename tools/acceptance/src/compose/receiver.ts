import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** The webhook receiver of the compose test, in a container of its own. */
const bodies: string[] = [];
let status = 204;

createServer((request, response) => {
  const answer = async () => {
    const body = await text(request);
    switch (`${request.method} ${request.url}`) {
      case 'POST /hook':
        if (status === 204) bodies.push(body);
        response.writeHead(status).end();
        break;
      case 'PUT /status':
        status = Number(body);
        response.writeHead(204).end();
        break;
      default:
        response.end(JSON.stringify(bodies));
    }
  };
  answer().catch(() => response.destroy());
}).listen(8090, '0.0.0.0');
