import type { ComponentType } from 'react';
import type { Texts } from '../../texts/en/visitor.ts';
import type { AllTexts } from '../../texts/signed-in-texts.tsx';

/** A page of the client. Each folder lists its own; `routes.tsx` puts them together. */
export interface Page<PageTexts = Texts> {
  /** Parameters begin with a dollar sign: `/webhooks/$id`. */
  path: string;
  /** The title of the browser's tab; a page without one names itself after what it shows. */
  title?: (text: PageTexts) => string;
  /** Loads the page when it is visited for the first time. */
  load: () => Promise<ComponentType>;
}

/** A page that needs a session. */
export type SignedInPage = Page<AllTexts>;
