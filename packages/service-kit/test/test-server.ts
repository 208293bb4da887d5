import { Writable } from 'node:stream';
import { createLogger } from '../src/logger.ts';
import { createServer, type Server, type ServerOptions } from '../src/server/server.ts';

export interface TestServer extends AsyncDisposable {
  server: Server;
  origin: string;
  port: number;
  /** What was logged, one JSON text a line. */
  logs: string[];
}

/** A real server on a free port of 127.0.0.1. */
export async function startTestServer(
  routes: (server: Server) => void,
  options: Partial<ServerOptions> = {},
): Promise<TestServer> {
  const logs: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logs.push(chunk.toString());
      done();
    },
  });
  const server = await createServer({
    service: 'test',
    logger: createLogger({ service: 'test', level: 'info', destination }),
    trustProxy: false,
    corsOrigins: ['https://app.example.com'],
    ready: {},
    ...options,
  });
  routes(server);
  const origin = await server.listen({ port: 0, host: '127.0.0.1' });
  return {
    server,
    origin,
    port: Number(new URL(origin).port),
    logs,
    async [Symbol.asyncDispose]() {
      await server.close();
    },
  };
}
