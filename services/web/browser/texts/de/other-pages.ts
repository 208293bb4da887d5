import type { OtherPageTexts } from '../en/other-pages.ts';
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

export const otherPages: OtherPageTexts = {
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
