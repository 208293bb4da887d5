import { Readable } from 'node:stream';
import { ERROR_CODES, ErrorBody, type ErrorCode } from '@atrium/contracts/errors';
import {
  OpenedSharedNote,
  ReadingConditions,
  SHARE_ACCESS_HEADER,
  SharedNote,
} from '@atrium/contracts/notes/sharing';
import { HttpError, unavailable } from '@atrium/service-kit/http-error';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { fetchAgain } from '../fetch-again.ts';

/** For both attempts together. */
const DEADLINE_MS = 5000;
/** The largest note has 500 KB, and JSON writes some characters as six. */
const SIZE_MAX_BYTES = 4_000_000;
/** What a reader is told as notes says it. */
const PASSED_ON = [401, 404, 429];
const FILE_HEADERS =
  'content-type content-length content-disposition content-security-policy'.split(' ');

/** Whose request it is: the notes service logs and limits it as theirs. */
export interface Reader {
  id: string;
  ip: string;
  /** What opening the note has returned. */
  access?: string | undefined;
}

/** @throws HttpError 401, 404 or 429 as the notes service answers, or 503 while it does not answer */
export interface SharedNotes {
  conditions(token: string, reader: Reader): Promise<ReadingConditions>;
  /**
   * @param options.mayCount whether this may be one of a limited number of views: then it is not asked for again when
   *   its connection is lost. Elsewhere a view may be counted twice, which is better than a page that fails
   */
  read(token: string, reader: Reader, options?: { mayCount: boolean }): Promise<SharedNote>;
  open(token: string, password: string | undefined, reader: Reader): Promise<OpenedSharedNote>;
  attachment(
    token: string,
    id: string,
    reader: Reader,
  ): Promise<{ headers: Record<string, string>; content: Readable }>;
}

/**
 * Reads public notes from the notes service at this URL.
 *
 * @param deadlineMs only tests change it
 */
export function sharedNotesAt(notesUrl: string, deadlineMs = DEADLINE_MS): SharedNotes {
  async function ask(path: string, reader: Reader, options: AskOptions = {}): Promise<Response> {
    const { id, ip, access } = reader;
    const { body, isRepeatable = body === undefined } = options;
    const signal = options.signal ?? AbortSignal.timeout(deadlineMs);
    const init = {
      headers: {
        'x-request-id': id,
        'x-forwarded-for': ip,
        ...(access !== undefined && { [SHARE_ACCESS_HEADER]: access }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      redirect: 'error',
      signal,
    } as const;
    const url = `${notesUrl}/shared/${path}`;
    const response = await (isRepeatable ? fetchAgain : fetch)(url, init).catch((error) => {
      throw cannotBeRead(error);
    });
    if (!response.ok) throw await rejectionOf(response);
    return response;
  }

  return {
    conditions: async (token, reader) =>
      readJson(ReadingConditions, await ask(`${token}/access`, reader)),
    read: async (token, reader, { mayCount } = { mayCount: false }) =>
      readJson(SharedNote, await ask(token, reader, { isRepeatable: !mayCount })),
    open: async (token, password, reader) =>
      readJson(OpenedSharedNote, await ask(`${token}/access`, reader, { body: { password } })),
    async attachment(token, id, reader) {
      const path = `${token}/attachments/${encodeURIComponent(id)}`;
      // The rest of a file takes as long as its reader needs.
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), deadlineMs);
      const response = await ask(path, reader, { signal: late.signal }).finally(() =>
        clearTimeout(timer),
      );
      const headers = FILE_HEADERS.map((name) => [name, response.headers.get(name) ?? '']);
      return {
        headers: Object.fromEntries(headers),
        content: Readable.from(response.body ?? []),
      };
    },
  };
}

interface AskOptions {
  body?: { password: string | undefined };
  signal?: AbortSignal;
  isRepeatable?: boolean;
}

const cannotBeRead = (cause: unknown) =>
  unavailable('The note cannot be read at the moment', 2, cause);

async function rejectionOf(response: Response): Promise<HttpError> {
  const { status, headers } = response;
  const body = await readBody(response).catch(() => undefined);
  const isPassedOn = PASSED_ON.includes(status) && Value.Check(ErrorBody, body);
  const code = headers.get('error-code');
  if (!isPassedOn || !isErrorCode(code)) {
    return cannotBeRead(new Error(`Notes answered ${status}`));
  }
  const retryAfter = headers.get('retry-after');
  return new HttpError(code, body.message, {
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
  });
}

const isErrorCode = (code: string | null): code is ErrorCode =>
  code !== null && Object.hasOwn(ERROR_CODES, code);

async function readJson<Schema extends TSchema>(
  schema: Schema,
  response: Response,
): Promise<Static<Schema>> {
  try {
    return Value.Parse(schema, await readBody(response));
  } catch (error) {
    throw cannotBeRead(error);
  }
}

async function readBody({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > SIZE_MAX_BYTES) throw new Error('The answer of notes is too large');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}
