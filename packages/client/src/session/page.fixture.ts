import { createAtrium } from '../index.ts';
import type { Atrium, SessionState } from '../index.ts';

/** What tests reach in a page. */
export interface PageWindow extends Window {
  atrium: Atrium;
  createAtrium: typeof createAtrium;
  /** Every state of the session since the page was loaded. */
  states: SessionState[];
  /** Calls that failed, other than by the faults of the network. */
  failures: string[];
  isOver: boolean;
}

const page = window as unknown as PageWindow;
const url = window.location.origin;
const sessionHint = window.location.search.includes('hint');
page.createAtrium = createAtrium;
page.atrium = createAtrium({
  authUrl: url,
  notesUrl: url,
  linksUrl: url,
  webhooksUrl: url,
  sessionHint,
});
page.states = [page.atrium.session.getState()];
page.failures = [];
page.isOver = false;
page.atrium.session.subscribe(() => page.states.push(page.atrium.session.getState()));
page.atrium.session.start();
