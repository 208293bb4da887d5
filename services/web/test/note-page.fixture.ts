import { AtriumError } from '@atrium/client';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Draft } from '../browser/notes/saving/drafts.ts';
import type { NoteText, StoredNote } from '../browser/notes/saving/note-text.ts';
import { createSaver } from '../browser/notes/saving/saver.ts';

/** Time passes only in `pass`; what waits to be painted is painted as soon as any does. */
export function fakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    vi.stubGlobal('requestAnimationFrame', (paint: () => void) => setTimeout(paint));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
}

export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const STATUS_ERRORS = {
  0: 'Network Error',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  412: 'Precondition Failed',
  422: 'Validation Error',
  503: 'Service Unavailable',
} as const;

export const failure = (status: keyof typeof STATUS_ERRORS) =>
  new AtriumError(status, STATUS_ERRORS[status], 'It failed');

/** A service with one note, a page that shows it, and this device. */
export function openPage(content = 'one\ntwo\nthree') {
  const stored: StoredNote = {
    id: 'note_1',
    workspaceId: 'ws_1',
    title: 'Plans',
    content,
    tags: [],
    pinned: false,
    favourite: false,
    isTemplate: false,
    parentId: null,
    sharedUrl: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    etag: '1',
  };
  const service = {
    note: stored,
    fails: undefined as AtriumError | undefined,
    /** Saves what it is sent, and its answer does not arrive. */
    isAnswerLost: false,
    gone: false,
    saves: 0,
    loads: 0,
    loadFails: undefined as AtriumError | undefined,
  };
  // The editor has its own line ends.
  const lines = content.replaceAll('\r\n', '\n');
  let shown: NoteText = { title: 'Plans', content: lines, tags: [], pinned: false };
  const device = {
    draft: undefined as Draft | undefined,
    isFull: false,
    isStuck: false,
    delayMs: 0,
  };
  const written = () => new Promise<void>((resolve) => setTimeout(resolve, device.delayMs));
  const change = (changes: Partial<NoteText>) => {
    const etag = String(Number(service.note.etag) + 1);
    service.note = { ...service.note, ...changes, etag };
  };
  const saver = createSaver({
    base: stored,
    read: () => shown,
    show: (text) => {
      shown = text;
    },
    load: () => {
      service.loads += 1;
      const error = service.loadFails ?? (service.gone ? failure(404) : undefined);
      return error === undefined ? Promise.resolve(service.note) : Promise.reject(error);
    },
    save: (changes, etag) => {
      if (service.fails !== undefined) return Promise.reject(service.fails);
      if (etag !== service.note.etag) return Promise.reject(failure(412));
      service.saves += 1;
      change(changes);
      if (service.isAnswerLost) return Promise.reject(failure(0));
      return Promise.resolve(service.note);
    },
    draft: {
      put: (draft) => {
        if (device.isFull) return Promise.reject(new Error('QuotaExceededError'));
        device.draft = draft;
        return device.delayMs === 0 ? Promise.resolve() : written();
      },
      clear: () => {
        if (device.isStuck) return Promise.reject(new Error('AbortError'));
        device.draft = undefined;
        return device.delayMs === 0 ? Promise.resolve() : written();
      },
    },
  });
  return {
    saver,
    service,
    device,
    change,
    shown: () => shown,
    type: (changes: Partial<NoteText>) => {
      shown = { ...shown, ...changes };
      saver.changed();
    },
  };
}
