import type { FunctionComponent } from 'react';
import type { Texts } from '../../texts/en/visitor.ts';
import type { AllTexts } from '../../texts/signed-in-texts.tsx';

/** A page of the client. Each folder lists its own; `routes.tsx` puts them together. */
export interface Page<PageTexts = Texts, Path = string, Props = object> {
  path: Path;
  /** The title of the browser's tab; a page without one names itself after what it shows. */
  title?: (text: PageTexts) => string;
  /** Loads the page when it is visited for the first time. */
  load: () => Promise<FunctionComponent<Props>>;
}

/** A page that needs a session, perhaps of one thing, whose id its path has: `/webhooks/$id`. */
export type SignedInPage =
  | Page<AllTexts>
  | Page<AllTexts, `${string}/$id${string}`, { id: string }>;
