import type { ComponentType } from 'react';
import type { Texts } from '../texts/en.ts';

/** A page of the client. Each folder lists its own; `routes.tsx` puts them together. */
export interface Page {
  /** Parameters begin with a dollar sign: `/webhooks/$id`. */
  path: string;
  /** The title of the browser's tab. */
  title: (text: Texts) => string;
  /** Loads the page when it is visited for the first time. */
  load: () => Promise<ComponentType>;
}
