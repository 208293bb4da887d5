import type { Attachment } from '@atrium/client';
import { useEffect, useRef, useState } from 'react';
import { localeOf } from '../../frame/time-text.ts';
import { useTranslation } from '../../texts/texts.tsx';
import { useWorkspace } from '../workspaces/use-workspaces.ts';
import { files } from './files.ts';
import { markdownOf, sizeText } from './markdown-of.ts';
import { useSizeCheck } from './use-size-check.ts';

/** A file on its way; with an error it waits for another attempt, or for being cancelled. */
export interface Upload {
  id: number;
  file: File;
  /** The same for every attempt, so that a file whose answer was lost is not stored twice. */
  idempotencyKey: string;
  sentBytes: number;
  error?: unknown;
}

export interface Uploads {
  list: readonly Upload[];
  /** Sends a file. @returns its number, with which its place is found when it is there */
  add: (file: File) => number;
  retry: (upload: Upload) => void;
  cancel: (id: number) => void;
}

/** For one file; a slow network takes its time. */
const DEADLINE_MS = 30 * 60_000;
const NAME_LENGTH_MAX = 200;
let lastId = 0;

/**
 * Attaches files to a workspace, one after the other.
 *
 * @param onEnd called with the Markdown of a file that is there, and without for one that is cancelled
 */
export function useUploads(
  workspaceId: string,
  onEnd: (id: number, markdown?: string) => void,
): Uploads {
  const [list, setList] = useState<readonly Upload[]>([]);
  const locale = localeOf(useTranslation().language);
  const { data: workspace } = useWorkspace(workspaceId);
  const checkSize = useSizeCheck(workspace?.role);
  const queue = useRef(Promise.resolve());
  const running = useRef(new Map<number, AbortController>());
  useEffect(() => {
    const { current } = running;
    return () => {
      for (const controller of current.values()) controller.abort();
    };
  }, []);
  const change = (id: number, changed: Partial<Upload>) =>
    setList((all) => all.map((upload) => (upload.id === id ? { ...upload, ...changed } : upload)));
  const end = (id: number, attachment?: Attachment) => {
    running.current.delete(id);
    setList((all) => all.filter((upload) => upload.id !== id));
    if (attachment === undefined) onEnd(id);
    else onEnd(id, markdownOf(attachment, sizeText(attachment.sizeBytes, locale)));
  };

  async function send(
    { id, file, idempotencyKey }: Upload,
    { signal }: AbortController,
  ): Promise<void> {
    if (signal.aborted) return;
    try {
      await checkSize('file', file);
      const attachment = await files.uploadAttachment(
        workspaceId,
        file.name.slice(-NAME_LENGTH_MAX),
        file,
        {
          signal,
          idempotencyKey,
          deadlineMs: DEADLINE_MS,
          onProgress: (sentBytes) => change(id, { sentBytes }),
        },
      );
      end(id, attachment);
    } catch (error) {
      if (!signal.aborted) change(id, { error });
    }
  }

  function start(upload: Upload): void {
    const controller = new AbortController();
    running.current.set(upload.id, controller);
    queue.current = queue.current.then(() => send(upload, controller));
  }

  return {
    list,
    add(file) {
      lastId += 1;
      const upload = { id: lastId, file, idempotencyKey: crypto.randomUUID(), sentBytes: 0 };
      setList((all) => [...all, upload]);
      start(upload);
      return upload.id;
    },
    retry({ error: _error, ...upload }) {
      const again = { ...upload, sentBytes: 0 };
      setList((all) => all.map((other) => (other.id === upload.id ? again : other)));
      start(again);
    },
    cancel(id) {
      running.current.get(id)?.abort();
      end(id);
    },
  };
}
