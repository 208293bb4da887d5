/** One block of an event stream; a comment, such as a heartbeat, has none of the fields. */
export interface StreamBlock {
  event: string | undefined;
  id: string | undefined;
  data: string | undefined;
}

const BLOCK_MAX_CHARACTERS = 1_000_000;

/** Reads server-sent events as the services write them: one line of data each. */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamBlock> {
  const decoder = new TextDecoder();
  // Not every browser can iterate a stream.
  const reader = body.getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      if (text.length > BLOCK_MAX_CHARACTERS) throw new Error('An event of the stream is too long');
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
        yield { event: field('event'), id: field('id'), data: field('data') };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
