import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { type FileStorage, MissingFile } from './storage.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const TIMEOUTS = {
  /** Until an answer begins to a request that has no content. */
  requestMs: 10_000,
  /** Without a byte in either direction: longer than a client may send or take nothing. */
  silenceMs: 60_000,
};
/** An open download holds one: with the 50 of the SDK two accounts could use up all of them. */
const SOCKETS_MAX = 500;
const ignore = () => undefined;

export interface S3Options {
  bucket: string;
  region: string;
  /** The URL of a service other than Amazon's. */
  endpoint?: string | undefined;
  /** Without them the SDK finds them where Amazon's own machines have them. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Only tests change them. */
  timeouts?: typeof TIMEOUTS;
}

/** Files in a bucket of S3, or of anything that speaks its protocol. */
export function openS3Storage(options: S3Options): FileStorage {
  const { bucket, region, endpoint, credentials, timeouts = TIMEOUTS } = options;
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
    // Other services than Amazon's may not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would print that a stream cannot be sent again: the error says what has failed.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: timeouts.requestMs,
      // Otherwise the SDK only logs that the time is over.
      throwOnRequestTimeout: true,
      socketTimeout: timeouts.silenceMs,
      httpAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
      httpsAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
    },
  });
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  return {
    async write(key, content, { sizeBytes, signal }) {
      // As one stream of known length: parts would be held in memory, and left behind by a process that is killed.
      const Body = Readable.from(content, { objectMode: false });
      const failed = new AbortController();
      Body.once('error', () => failed.abort());
      const abortSignal = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
      const command = new PutObjectCommand({ ...at(key), Body, ContentLength: sizeBytes });
      try {
        // Content may take long, as long as its bytes move.
        await client.send(command, { abortSignal, requestTimeout: 0 });
      } catch (error) {
        // The rest of the content would keep the connection.
        failed.abort();
        throw Body.errored ?? error;
      } finally {
        Body.destroy();
      }
    },
    async read(key, { range, signal } = {}) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const command = new GetObjectCommand({ ...at(key), ...(Range && { Range }) });
      const sent = client.send(command, signal && { abortSignal: signal });
      const { Body } = await sent.catch((error: unknown) => {
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
