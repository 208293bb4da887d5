import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  path: string;
  content: Readable | Buffer;
}

/** The same for every entry, so that the same content is the same archive. In local time, as zip has it. */
const ENTRY = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };

/** A zip archive, written as it is read: one entry at a time is in memory. */
export function zipOf(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  zip.on('error', (error) => output.destroy(error));
  fill(zip, entries, output).catch((error: unknown) =>
    output.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return output;
}

async function fill(zip: ZipFile, entries: AsyncIterable<ZipEntry>, output: Readable) {
  const closed = once(output, 'close');
  for await (const { path, content } of entries) {
    const isText = Buffer.isBuffer(content);
    const stream = isText ? Readable.from([content], { objectMode: false }) : content;
    zip.addReadStream(stream, path, { ...ENTRY, compress: isText });
    await Promise.race([once(stream, 'close'), closed]);
    if (output.destroyed) {
      stream.destroy();
      return;
    }
  }
  zip.end();
}
