import Type, { type Static } from 'typebox';
import { component, exampleId } from './component.ts';
import { IdSchema } from './ids.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from './timestamps.ts';

const Slug = Type.String({ pattern: '^[A-Za-z0-9_-]{3,64}$' });
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
  example,
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

export const SlugParams = Type.Object({ slug: Type.String({ minLength: 1, maxLength: 100 }) });
