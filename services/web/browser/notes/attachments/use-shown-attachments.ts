import { type MouseEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { saveFile } from '../../ui/save-file.ts';
import { useErrorToast } from '../../ui/toasts/toasts.tsx';
import { files } from '../../session/files.ts';

const LINK = 'a[href^="/api/attachments/"]';
/** Of one note; the others stay links. */
const IMAGES_MAX = 100;

const idOf = (link: Element) => link.getAttribute('href')?.split('/')[3] ?? '';

/** The service wants an access token, which no image and no link can send. */
async function load(id: string): Promise<Blob> {
  return new Response(await files.downloadAttachment(id)).blob();
}

/**
 * Shows the images of rendered Markdown, and saves the other files when they are clicked.
 *
 * @param html what the element shows
 */
export function useShownAttachments(html: string): {
  ref: RefObject<HTMLDivElement | null>;
  onClick: (event: MouseEvent) => void;
} {
  const showError = useErrorToast();
  const ref = useRef<HTMLDivElement>(null);
  const urls = useRef(new Map<string, string>());
  useEffect(() => {
    const { current } = urls;
    return () => {
      for (const url of current.values()) URL.revokeObjectURL(url);
      current.clear();
    };
  }, []);
  useLayoutEffect(() => {
    let isShown = true;
    const links = [...(ref.current?.querySelectorAll(`${LINK}.image`) ?? [])];
    for (const link of links.slice(0, IMAGES_MAX)) {
      const id = idOf(link);
      const url = urls.current.get(id);
      // At once where it can be, so that typing beside an image does not make it flicker.
      if (url !== undefined) show(link, url);
      else {
        load(id).then(
          (image) => {
            if (!isShown) return;
            const created = urls.current.get(id) ?? URL.createObjectURL(image);
            urls.current.set(id, created);
            show(link, created);
          },
          // It stays a link, which says why when it is clicked.
          () => undefined,
        );
      }
    }
    return () => {
      isShown = false;
    };
  }, [html]);
  return {
    ref,
    onClick(event) {
      const link = (event.target as Element).closest(LINK);
      if (link === null) return;
      event.preventDefault();
      load(idOf(link)).then((content) => saveFile(link.textContent, content), showError);
    },
  };
}

function show(link: Element, url: string): void {
  const image = document.createElement('img');
  image.src = url;
  image.alt = link.textContent;
  link.replaceWith(image);
}
