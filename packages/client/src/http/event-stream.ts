/** One block of an event stream. */
export interface StreamBlock {
  event: string | undefined;
  id: string | undefined;
}

/** Reads server-sent events: their type and id, which is all that the command needs. */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamBlock> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
      yield { event: field('event'), id: field('id') };
    }
  }
}
