import type { Targets } from '../target-table.ts';
import { FILTER } from './deliveries.ts';
import { KEY_TO_PAINT, MORE_THAN_LOGIN, YARDSTICKS as WITHOUT_SCRIPT } from './editor.ts';
import { CLS, LCP, SCRIPT } from './visit.ts';

const STILL = { [CLS]: { atMost: 0.01 } };
const LOGIN = { [SCRIPT]: { atMost: 150 }, [LCP]: { atMost: 600 }, ...STILL };

export const TARGETS: Targets = {
  login: LOGIN,
  'login-in-german': LOGIN,
  home: STILL,
  notes: { [LCP]: { atMost: 800 }, ...STILL },
  'public-note': { [SCRIPT]: { atMost: 0 }, [LCP]: { atMost: 300 }, ...STILL },
  editor: { [MORE_THAN_LOGIN]: { atMost: 130 }, [KEY_TO_PAINT]: { atMost: 16 } },
  deliveries: { [FILTER]: { atMost: 100 } },
};

export const EMPTY_PAGE = 'empty page';
export const YARDSTICKS = [EMPTY_PAGE, ...WITHOUT_SCRIPT];
