import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { isAwsSigned } from '@atrium/testkit/aws-signature';

export const KEY = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'a secret of forty characters, or nearly',
};

export interface S3Server extends AsyncDisposable {
  url: string;
  objects: Map<string, Buffer>;
}

/** What the storage needs of S3, with signatures checked. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();

  async function answer(request: IncomingMessage): Promise<[number, (string | Buffer)?]> {
    const body = await buffer(request);
    if (!isAwsSigned(request, body, KEY))
      return [
        403,
        '<Error><Code>SignatureDoesNotMatch</Code><Message>SignatureDoesNotMatch</Message></Error>',
      ];
    const { pathname } = new URL(request.url ?? '', 'http://s3');
    switch (request.method) {
      case 'PUT':
        objects.set(pathname, body);
        return [200];
      case 'DELETE':
        objects.delete(pathname);
        return [204];
      default: {
        const found = objects.get(pathname);
        const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
        if (found === undefined)
          return [404, '<Error><Code>NoSuchKey</Code><Message>NoSuchKey</Message></Error>'];
        return start === undefined
          ? [200, found]
          : [206, found.subarray(Number(start), Number(end) + 1)];
      }
    }
  }

  const server = createServer((request, response) => {
    answer(request).then(
      ([status, body]) => response.writeHead(status, { etag: '"x"' }).end(body),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
