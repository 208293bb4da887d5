import { account } from './account.ts';
import { applications } from './applications.ts';
import { deliveries } from './deliveries.ts';
import { deviceLogin } from './device-login.ts';
import { eventTypes } from './event-types.ts';
import { events } from './events.ts';
import { filters } from './filters.ts';
import { links } from './links.ts';
import { operator } from './operator.ts';
import { portal } from './portal.ts';
import { tokens } from './tokens.ts';
import { verification } from './verification.ts';
import { webhooks } from './webhooks.ts';

/** The texts of the pages beside the notes. */
export const otherPages = {
  account,
  applications,
  deliveries,
  deviceLogin,
  events,
  eventTypes,
  filters,
  links,
  operator,
  portal,
  tokens,
  verification,
  webhooks,
};

export type OtherPageTexts = typeof otherPages;
