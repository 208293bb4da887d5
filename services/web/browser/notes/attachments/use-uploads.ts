import { useEffect, useRef, useState } from 'react';
import { atrium } from '../../session/atrium.ts';
import { useTranslation } from '../../texts/texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import { useOwnerPlan } from '../workspaces/use-owner-plan.ts';
import { useWorkspace } from '../workspaces/use-workspaces.ts';

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

let lastId = 0;

/**
 * Attaches files to the workspace of a note, one after the other.
 *
 * @param onEnd called with the Markdown of a file that is there, and without for one that is cancelled
 */
export function useUploads(
  { id: noteId, opened }: Pick<OpenNote, 'id' | 'opened'>,
  onEnd: (id: number, markdown?: string) => void,
): Uploads {
  const [list, setList] = useState<readonly Upload[]>([]);
  const { locale } = useTranslation();
  const { data: workspace } = useWorkspace(opened.workspaceId);
  const plan = useOwnerPlan(workspace?.role);
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
  const end = (id: number, markdown?: string) => {
    running.current.delete(id);
    setList((all) => all.filter((upload) => upload.id !== id));
    onEnd(id, markdown);
  };

  async function send(
    { id, file, idempotencyKey }: Upload,
    { signal }: AbortController,
  ): Promise<void> {
    if (signal.aborted) return;
    try {
      const { uploadFile } = await import('./upload-file.ts');
      // The note may have been moved since its page was opened, also with a note above it.
      const { workspaceId } = await atrium.notes.getNote(noteId, { signal });
      const markdown = await uploadFile(workspaceId, file, {
        plan: workspaceId === opened.workspaceId ? plan : undefined,
        locale,
        signal,
        idempotencyKey,
        onProgress: (sentBytes) => change(id, { sentBytes }),
      });
      end(id, markdown);
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
