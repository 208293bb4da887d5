import type { Targets } from '../target-table.ts';
import { FILTER } from './deliveries.ts';
import { EDITOR_BASELINES, KEY_TO_PAINT, MORE_THAN_LOGIN } from './editor.ts';
import { FULL_SPEED, LONG_TASKS, PLAIN_ROWS, SCROLLING_RATIO } from './rows.ts';
import { CLS, LCP, SCRIPT } from './visit.ts';

const STILL = { [CLS]: { atMost: 0.01 } };
/** Nearly every frame comes as soon as without script, and nothing that one does waits. */
const SMOOTH = {
  [SCROLLING_RATIO]: { atMost: 1.5 },
  [`${LONG_TASKS}, ${FULL_SPEED}`]: { atMost: 0 },
};
const LOGIN = { [SCRIPT]: { atMost: 150 }, [LCP]: { atMost: 600 }, ...STILL };

export const TARGETS: Targets = {
  login: LOGIN,
  'login-in-german': LOGIN,
  home: STILL,
  notes: { [LCP]: { atMost: 800 }, ...STILL },
  'public-note': { [SCRIPT]: { atMost: 0 }, [LCP]: { atMost: 300 }, ...STILL },
  editor: { [MORE_THAN_LOGIN]: { atMost: 130 }, [KEY_TO_PAINT]: { atMost: 16 } },
  deliveries: { [FILTER]: { atMost: 100 } },
  'note-rows': SMOOTH,
  'link-rows': SMOOTH,
  'delivery-rows': SMOOTH,
};

export const EMPTY_PAGE = 'empty page';
export const BASELINES = [EMPTY_PAGE, ...EDITOR_BASELINES, PLAIN_ROWS];
