import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { type FileStorage, MissingFile } from './storage.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** The deadline for one part of a file, of 5 MB. */
const REQUEST_TIMEOUT_MS = 60_000;
/** An open download holds one: with the 50 of the SDK two accounts could use up all of them. */
const SOCKETS_MAX = 500;
/** Parts of each upload that are in memory at once. */
const PARTS_IN_FLIGHT = 2;

export interface S3Options {
  bucket: string;
  region: string;
  /** The URL of a service other than Amazon's. */
  endpoint?: string | undefined;
  /** Without them the SDK finds them where Amazon's own machines have them. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/** Files in a bucket of S3, or of anything that speaks its protocol. */
export function openS3Storage({ bucket, region, endpoint, credentials }: S3Options): FileStorage {
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
    // Other services than Amazon's may not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      httpAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
      httpsAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
    },
  });
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  return {
    async write(key, content) {
      // In objectMode false, so that it is cut into parts of bytes.
      const Body = Readable.from(content, { objectMode: false });
      const params = { ...at(key), Body };
      await new Upload({ client, params, queueSize: PARTS_IN_FLIGHT }).done();
    },
    async read(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const command = new GetObjectCommand({ ...at(key), ...(Range && { Range }) });
      const { Body } = await client.send(command).catch((error: unknown) => {
        throw error instanceof NoSuchKey ? new MissingFile(key, error) : error;
      });
      if (!(Body instanceof Readable)) throw new Error(`no content for ${key}`);
      return Body;
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key)));
    },
  };
}
