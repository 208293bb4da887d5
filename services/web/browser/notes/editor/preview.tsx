import { Text, Typography } from '@mantine/core';
import DOMPurify from 'dompurify';
import { useMemo } from 'react';
import { renderMarkdown } from '../../../src/markdown/markdown.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import classes from './editor.module.css';

/** The note as its readers see it. Styles and forms of its author have no place in the page. */
export function Preview({ content }: { content: string }) {
  const { editor } = useSignedInText().notes;
  const html = useMemo(
    () => DOMPurify.sanitize(renderMarkdown(content), { FORBID_TAGS: ['style', 'form'] }),
    [content],
  );
  return (
    <section aria-label={editor.preview} className={classes.preview}>
      {content.trim() === '' ? (
        <Text c="dimmed">{editor.emptyPreview}</Text>
      ) : (
        <Typography>
          <div dangerouslySetInnerHTML={{ __html: html }} />
        </Typography>
      )}
    </section>
  );
}
