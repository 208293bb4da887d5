import { files } from '../../session/files.ts';

/** The service wants an access token, which no image and no link can send. */
export async function loadAttachment(id: string, signal?: AbortSignal): Promise<Blob> {
  return new Response(await files.downloadAttachment(id, { signal })).blob();
}

export interface AttachedImages {
  /** The URL under which the browser has an image already. */
  loaded: (id: string) => string | undefined;
  load: (id: string) => Promise<string>;
  /** Frees what the browser has kept for them. */
  dispose: () => void;
}

/** The images of a note, each of which is fetched once. */
export function createAttachedImages(): AttachedImages {
  const loading = new Map<string, Promise<string>>();
  const urls = new Map<string, string>();
  const disposed = new AbortController();

  async function fetchImage(id: string): Promise<string> {
    const image = await loadAttachment(id, disposed.signal);
    disposed.signal.throwIfAborted();
    const url = URL.createObjectURL(image);
    urls.set(id, url);
    return url;
  }

  return {
    loaded: (id) => urls.get(id),
    load(id) {
      const started = loading.get(id) ?? fetchImage(id);
      loading.set(id, started);
      // Whoever asks again may be answered.
      started.catch(() => loading.delete(id));
      return started;
    },
    dispose() {
      disposed.abort();
      for (const url of urls.values()) URL.revokeObjectURL(url);
    },
  };
}
