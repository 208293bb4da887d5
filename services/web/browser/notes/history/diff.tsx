import type { Comparison } from '@atrium/client';
import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import classes from './history.module.css';

type Block = Comparison['content'][number];

/** Equal lines that are shown at first on each side of a change. */
const CONTEXT_LINES = 3;

/** Lines that were removed and added, with the words that differ. Signs and hidden words say which is which. */
export function Diff({ blocks }: { blocks: readonly Block[] }) {
  const { history } = useSignedInText();
  return (
    <div className={classes.diff}>
      {blocks.map(({ kind, parts }, index) => {
        if (kind === 'same') {
          const isWhole = blocks.length === 1;
          return (
            <Same key={index} text={parts.map(({ text }) => text).join('')} isWhole={isWhole} />
          );
        }
        const Line = kind === 'added' ? 'ins' : 'del';
        return (
          <Line key={index} className={classes.line} data-kind={kind}>
            <VisuallyHidden>{history[kind]}</VisuallyHidden>
            {parts.map(({ text, isChanged }, at) => (
              <span key={at} {...(isChanged && { className: classes.word })}>
                {withoutBreak(text)}
              </span>
            ))}
          </Line>
        );
      })}
    </div>
  );
}

function Same({ text, isWhole }: { text: string; isWhole: boolean }) {
  const { history } = useSignedInText();
  const [isOpen, setOpen] = useState(isWhole);
  const lines = withoutBreak(text).split('\n');
  const hidden = lines.length - 2 * CONTEXT_LINES;
  if (isOpen || hidden <= 1) return <Line>{lines.join('\n')}</Line>;
  return (
    <>
      <Line>{lines.slice(0, CONTEXT_LINES).join('\n')}</Line>
      <UnstyledButton className={classes.fold} onClick={() => setOpen(true)}>
        {history.unchanged(hidden)}
      </UnstyledButton>
      <Line>{lines.slice(-CONTEXT_LINES).join('\n')}</Line>
    </>
  );
}

function Line({ children }: { children: string }) {
  return <div className={classes.line}>{children}</div>;
}

function withoutBreak(text: string): string {
  return text.replace(/\n$/, '');
}
