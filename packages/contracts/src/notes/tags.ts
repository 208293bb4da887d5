import Type, { type Static } from 'typebox';
import { component } from '../component.ts';
import { AnyId } from '../ids.ts';
import { TagName } from './notes.ts';

export const TagParams = Type.Object({
  id: AnyId,
  tag: Type.String({ minLength: 1, maxLength: 50 }),
});

export const Tag = component(
  'Tag',
  Type.Object({
    name: Type.String(),
    noteCount: Type.Integer({ description: 'Neither those in the trash nor templates' }),
  }),
  { name: 'garden', noteCount: 12 },
);
export type Tag = Static<typeof Tag>;

export const RenameTagBody = component(
  'RenameTagBody',
  Type.Object({
    name: TagName,
    merge: Type.Optional(
      Type.Boolean({ description: 'Whether a tag that has the name already takes in this one' }),
    ),
  }),
  { name: 'garden' },
);
