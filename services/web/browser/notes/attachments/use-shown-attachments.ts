import {
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { saveFile } from '../../ui/save-file.ts';
import { useErrorToast } from '../../ui/toasts/toasts.tsx';
import { createAttachedImages, loadAttachment } from './attached-images.ts';

const LINK = 'a[href^="/api/attachments/"]';
/** Images shown of one note; the others stay links. */
const IMAGES_MAX = 100;

const idOf = (link: Element) => link.getAttribute('href')?.split('/')[3] ?? '';

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
  const [images] = useState(createAttachedImages);
  useEffect(() => images.dispose, [images]);
  useLayoutEffect(() => {
    let isShown = true;
    const links = [...(ref.current?.querySelectorAll(`${LINK}.image`) ?? [])];
    for (const link of links.slice(0, IMAGES_MAX)) {
      const id = idOf(link);
      const url = images.loaded(id);
      // It is shown at once where it can be, so that what others write does not make it flicker.
      if (url !== undefined) show(link, url);
      else {
        images.load(id).then(
          (loaded) => isShown && show(link, loaded),
          // It stays a link, which says why when it is clicked.
          () => undefined,
        );
      }
    }
    return () => {
      isShown = false;
    };
  }, [html, images]);
  return {
    ref,
    onClick(event) {
      const link = (event.target as Element).closest(LINK);
      if (link === null) return;
      event.preventDefault();
      loadAttachment(idOf(link)).then((content) => saveFile(link.textContent, content), showError);
    },
  };
}

function show(link: Element, url: string): void {
  const image = document.createElement('img');
  image.src = url;
  image.alt = link.textContent;
  link.replaceWith(image);
}
