import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

export interface AwsRequest {
  service: 's3' | 'sqs';
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  method: 'POST' | 'PUT';
  url: URL;
  /** With names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  /** Unix milliseconds. */
  nowMs: number;
}

/**
 * The headers of a signed request, names and values in turn: AWS Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html). The request itself goes the
 * way of every other, whose addresses are checked.
 */
export async function signedHeaders(request: AwsRequest): Promise<string[]> {
  const { service, region, credentials, method, url, headers, body, nowMs } = request;
  const signer = new SignatureV4({
    service,
    region,
    credentials,
    sha256: Sha256,
    // Only S3 takes the path as it is.
    uriEscapePath: service !== 's3',
  });
  const signed = await signer.sign(
    {
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: { ...headers, host: url.host },
      body,
    },
    { signingDate: new Date(nowMs) },
  );
  const { host: _setByTheClient, ...sent } = signed.headers;
  return Object.entries(sent).flat();
}

type Data = string | ArrayBuffer | ArrayBufferView;

function bytesOf(data: Data): string | Uint8Array {
  if (typeof data === 'string') return data;
  if (!ArrayBuffer.isView(data)) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** The hash, or the HMAC with a secret, as the signer asks for it. */
class Sha256 {
  readonly #hash;

  constructor(secret?: Data) {
    this.#hash =
      secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: Data): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}
