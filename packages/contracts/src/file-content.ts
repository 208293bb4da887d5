import Type from 'typebox';
import { component } from './component.ts';

/** A body of bytes; it is streamed and not checked against a schema. */
export const FileContent = component(
  'FileContent',
  Type.Unknown({ description: 'The bytes of a file' }),
  '…',
);
