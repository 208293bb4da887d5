import Type, { type Static } from 'typebox';
import { component } from '../component.ts';

/** In bytes: the sum, what makes it up, and the limits of the plan. */
export const StorageUse = component(
  'StorageUse',
  Type.Object({
    usedBytes: Type.Integer({ description: 'Of everything in all workspaces that you own' }),
    noteBytes: Type.Integer({ description: 'Of notes, with those in the trash' }),
    versionBytes: Type.Integer({ description: 'Of versions, with the current ones' }),
    attachmentBytes: Type.Integer(),
    importBytes: Type.Integer({ description: 'Of reports of imports' }),
    limitBytes: Type.Union([Type.Integer(), Type.Null()], { description: 'null for no limit' }),
    fileLimitBytes: Type.Integer({ description: 'The largest file that can be attached' }),
  }),
  {
    usedBytes: 60_117,
    noteBytes: 3_940,
    versionBytes: 6_914,
    attachmentBytes: 48_213,
    importBytes: 1_050,
    limitBytes: 1_073_741_824,
    fileLimitBytes: 10_485_760,
  },
);
export type StorageUse = Static<typeof StorageUse>;
