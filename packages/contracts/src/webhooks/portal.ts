import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { Timestamp } from '../timestamps.ts';
import { recipient } from './publishing.ts';

/** How long the link of a portal, and what it opens, is valid. */
export const PORTAL_SESSION_MINUTES = 60;
/** Pages that may show one portal. */
const PORTAL_ORIGINS_MAX = 10;

const strict = { additionalProperties: false };
const Namespace = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The first part of the names of the event types of the product',
});
/** Written as browsers write an origin: no path, no wildcard, lower case. Without TLS only on the own machine. */
const Origin = Type.String({
  maxLength: 255,
  pattern: String.raw`^(https://[a-z0-9.-]+(:\d{1,5})?|http://(localhost|127\.0\.0\.1):\d{1,5})$`,
  errorMessage: 'must be an origin such as https://app.example.com, without a path',
});

const settings = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'Of the product, for people' }),
  colour: Type.Union(
    [
      Type.String({
        maxLength: 7,
        pattern: '^#[0-9a-fA-F]{6}$',
        errorMessage: 'must be six hexadecimal digits after #, such as #0a6847',
      }),
      Type.Null(),
    ],
    {
      description: 'Of the main buttons; null for that of Atrium',
    },
  ),
  logo: Type.Union([Type.String({ maxLength: 500, pattern: '^https?://' }), Type.Null()], {
    description: 'The URL of the logo of your application; pictures from elsewhere are not shown',
  }),
  origins: Type.Array(Origin, {
    maxItems: PORTAL_ORIGINS_MAX,
    uniqueItems: true,
    description: 'Whose pages may show the portal in a frame',
  }),
};
const exampleSettings = {
  name: 'Shop',
  colour: '#0a6847',
  logo: null,
  origins: ['https://app.shop.example'],
};

export const PutPortalBody = component(
  'PutPortalBody',
  Type.Object(settings, strict),
  exampleSettings,
);
export type PutPortalBody = Static<typeof PutPortalBody>;

export const Portal = component('Portal', Type.Object({ namespace: Namespace, ...settings }), {
  namespace: 'shop',
  ...exampleSettings,
});
export type Portal = Static<typeof Portal>;

export const Portals = component(
  'Portals',
  Type.Object({
    data: Type.Array(
      Type.Object({ namespace: Namespace, portal: Type.Union([Portal, Type.Null()]) }),
    ),
  }),
  { data: [{ namespace: 'shop', portal: { namespace: 'shop', ...exampleSettings } }] },
);

export const PortalParams = Type.Object({ namespace: Namespace });

export const CreatePortalSessionBody = component(
  'CreatePortalSessionBody',
  Type.Object(
    {
      namespace: Namespace,
      ...recipient,
    },
    strict,
  ),
  { namespace: 'shop', accountId: exampleId('usr') },
);

export const PortalSession = component(
  'PortalSession',
  Type.Object({
    url: Type.String({ description: 'For a link or a frame. Whoever has it opens the portal' }),
    expiresAt: Timestamp,
  }),
  {
    url: 'https://atrium.example/portal/ptl_c2VjcmV0',
    expiresAt: '2026-02-01T10:30:00.000Z',
  },
);

export const OpenPortalBody = component(
  'OpenPortalBody',
  Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) }, strict),
  { token: 'ptl_c2VjcmV0' },
);

export const OpenedPortal = component(
  'OpenedPortal',
  Type.Object({
    accessToken: Type.String({ description: 'For the webhooks of this portal alone' }),
    expiresAt: Timestamp,
    portal: Portal,
  }),
  {
    accessToken: 'ptl_YWNjZXNz',
    expiresAt: '2026-02-01T10:30:00.000Z',
    portal: { namespace: 'shop', ...exampleSettings },
  },
);
export type OpenedPortal = Static<typeof OpenedPortal>;
