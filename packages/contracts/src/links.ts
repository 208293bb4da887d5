import Type, { type Static } from 'typebox';
import { component, exampleId } from './component.ts';
import { IdSchema } from './ids.ts';
import { ListQuery } from './lists.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from './timestamps.ts';

const Slug = Type.String({
  pattern: '^[A-Za-z0-9_-]{3,64}$',
  errorMessage: 'must be 3 to 64 letters, digits, - or _',
});
const TargetUrl = Type.String({ minLength: 1, maxLength: 2048 });

const example = { url: 'https://example.com/plans/autumn', slug: 'autumn' };

export const CreateLinkBody = component(
  'CreateLinkBody',
  Type.Object({ url: TargetUrl, slug: Type.Optional(Slug) }, { additionalProperties: false }),
  example,
);
export const ChangeLinkBody = component(
  'ChangeLinkBody',
  Type.Partial(Type.Object({ url: TargetUrl, slug: Slug }), {
    additionalProperties: false,
    minProperties: 1,
  }),
  { url: 'https://example.com/plans/winter' },
);

export const Link = component(
  'Link',
  Type.Object({
    id: IdSchema('lnk'),
    slug: Type.String(),
    url: Type.String(),
    shortUrl: Type.String(),
    clicks: Type.Integer(),
    createdAt: Timestamp,
  }),
  {
    id: exampleId('lnk'),
    ...example,
    shortUrl: 'https://links.example.com/autumn',
    clicks: 42,
    createdAt: EXAMPLE_TIMESTAMP,
  },
);
export type Link = Static<typeof Link>;

export const LinkQuery = Type.Object({
  ...ListQuery.properties,
  sort: Type.Union([Type.Literal('created'), Type.Literal('clicks')], {
    default: 'created',
    description: 'The newest first, or the most clicked',
  }),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of the slug or of the target, in any case',
    }),
  ),
});

const UsedOfLimit = Type.Object({
  used: Type.Integer(),
  limit: Type.Union([Type.Integer(), Type.Null()], { description: 'null for no limit' }),
});

export const LinksUsage = component('LinksUsage', Type.Object({ links: UsedOfLimit }), {
  links: { used: 42, limit: 1000 },
});
export type LinksUsage = Static<typeof LinksUsage>;

export const SlugAvailability = component(
  'SlugAvailability',
  Type.Object({ slug: Type.String(), isAvailable: Type.Boolean() }),
  { slug: example.slug, isAvailable: true },
);

export const ValidSlugParams = Type.Object({ slug: Slug });

export const ClicksQuery = Type.Object({
  days: Type.Integer({
    minimum: 1,
    maximum: 90,
    default: 30,
    description: 'How many days, today included',
  }),
});

const DayOfClicks = Type.Object({
  day: Type.String({ format: 'date', description: 'In UTC' }),
  people: Type.Integer(),
  bots: Type.Integer(),
});
export type DayOfClicks = Static<typeof DayOfClicks>;

export const ClicksByDay = component(
  'ClicksByDay',
  Type.Object({
    data: Type.Array(DayOfClicks, { description: 'Oldest first, days without clicks included' }),
  }),
  { data: [{ day: '2026-01-31', people: 42, bots: 7 }] },
);

export const ClicksOverview = component(
  'ClicksOverview',
  Type.Object({
    total: Type.Integer({ description: 'Of people, on all links, since these were created' }),
    data: ClicksByDay.properties.data,
    best: Type.Array(
      Type.Object({ id: IdSchema('lnk'), slug: Type.String(), people: Type.Integer() }),
      { description: 'At most five links that were clicked in these days, the most clicked first' },
    ),
  }),
  {
    total: 420,
    data: [{ day: '2026-01-31', people: 42, bots: 7 }],
    best: [{ id: exampleId('lnk'), slug: example.slug, people: 42 }],
  },
);
export type ClicksOverview = Static<typeof ClicksOverview>;

export const SlugParams = Type.Object({ slug: Type.String({ minLength: 1, maxLength: 100 }) });
