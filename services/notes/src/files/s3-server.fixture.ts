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
  /** Unfinished multipart uploads. */
  uploads: Map<string, Buffer[]>;
}

/** What the storage needs of S3, with signatures checked. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Buffer[]>();

  async function answer(request: IncomingMessage): Promise<[number, (string | Buffer)?]> {
    const body = await buffer(request);
    if (!isAwsSigned(request, body, KEY))
      return [
        403,
        '<Error><Code>SignatureDoesNotMatch</Code><Message>SignatureDoesNotMatch</Message></Error>',
      ];
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
    const parts = uploads.get(searchParams.get('uploadId') ?? '');
    switch (request.method) {
      case 'PUT':
        if (parts === undefined) objects.set(pathname, body);
        else parts[Number(searchParams.get('partNumber')) - 1] = body;
        return [200];
      case 'POST':
        if (parts === undefined) {
          uploads.set('upload-1', []);
          return [200, '<R><UploadId>upload-1</UploadId></R>'];
        }
        objects.set(pathname, Buffer.concat(parts));
        uploads.clear();
        return [200, '<R><ETag>"x"</ETag></R>'];
      case 'DELETE':
        if (parts === undefined) objects.delete(pathname);
        else uploads.clear();
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
    uploads,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
