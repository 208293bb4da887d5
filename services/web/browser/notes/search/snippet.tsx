import { Mark, Text } from '@mantine/core';
import { snippetParts } from './search.ts';

/** An excerpt of a note with what matches marked. */
export function Snippet({ children }: { children: string }) {
  return (
    <Text size="sm" lineClamp={2}>
      {snippetParts(children).map(({ text, isMatch }, index) =>
        isMatch ? <Mark key={index}>{text}</Mark> : text,
      )}
    </Text>
  );
}
