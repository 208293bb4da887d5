import { files } from '../../session/files.ts';

/** The service wants an access token, which no image and no link can send. */
export async function loadAttachment(id: string): Promise<Blob> {
  return new Response(await files.downloadAttachment(id)).blob();
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
  let isDisposed = false;

  async function fetchImage(id: string): Promise<string> {
    const image = await loadAttachment(id);
    if (isDisposed) throw new Error('The page of the image was left');
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
      isDisposed = true;
      for (const url of urls.values()) URL.revokeObjectURL(url);
    },
  };
}
