import Type, { type Static } from 'typebox';
import { IdSchema } from './ids.ts';
import { Timestamp } from './timestamps.ts';

const Slug = Type.String({ pattern: '^[A-Za-z0-9_-]{3,64}$' });
const TargetUrl = Type.String({ minLength: 1, maxLength: 2048 });

export const CreateLinkBody = Type.Object(
  { url: TargetUrl, slug: Type.Optional(Slug) },
  { additionalProperties: false },
);
export const ChangeLinkBody = Type.Partial(Type.Object({ url: TargetUrl, slug: Slug }), {
  additionalProperties: false,
  minProperties: 1,
});

export const Link = Type.Object({
  id: IdSchema('lnk'),
  slug: Type.String(),
  url: Type.String(),
  shortUrl: Type.String(),
  clicks: Type.Integer(),
  createdAt: Timestamp,
});
export type Link = Static<typeof Link>;

export const SlugParams = Type.Object({ slug: Type.String({ minLength: 1, maxLength: 100 }) });
