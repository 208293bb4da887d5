/** One line of a file, with its number from 1; without its text when it is too long. */
export interface Line {
  number: number;
  text: string | undefined;
}

/** The lines of a stream of bytes, without the empty ones. No more than one line is held. */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 1;
  const add = (part: Buffer) => {
    length += part.length;
    if (length <= maxBytes) parts.push(part);
  };
  const take = (): Line[] => {
    const text = length <= maxBytes ? Buffer.concat(parts).toString('utf8').trim() : undefined;
    const line = { number, text };
    parts = [];
    length = 0;
    number += 1;
    return text === '' ? [] : [line];
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end));
      from = end + 1;
      yield* take();
    }
    add(chunk.subarray(from));
  }
  yield* take();
}
