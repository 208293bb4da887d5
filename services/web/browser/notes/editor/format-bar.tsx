import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import type { IconName } from '../../ui/controls/icon.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { insertLines, insertLink, toggleLines, toggleMark } from './code-mirror/commands.ts';
import type { Editor } from './code-mirror/create-editor.ts';
import classes from './format-bar.module.css';

/** @returns what stands above a selection; null where a finger's own menu stands there */
export function createBar(): HTMLElement | null {
  if (matchMedia('(pointer: coarse)').matches) return null;
  const bar = document.createElement('div');
  bar.addEventListener('mousedown', keepFocus);
  return bar;
}

/** The selection stays, and the keyboard of a phone. */
const keepFocus = (event: Event) => event.preventDefault();

/** Formats what is selected: above it, or on a phone above the keyboard. */
export function FormatBar({
  host,
  editor,
  onAttach,
}: {
  host: HTMLElement | null;
  editor: React.RefObject<Editor | null>;
  onAttach: () => void;
}) {
  const tools = <Tools editor={editor} onAttach={onAttach} />;
  return host === null ? <KeyboardBar>{tools}</KeyboardBar> : createPortal(tools, host);
}

/** Follows the upper edge of the keyboard, which only the visual viewport knows. */
function KeyboardBar({ children }: { children: React.ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { visualViewport: viewport } = window;
    const { current } = bar;
    if (viewport === null || current === null) return;
    const place = () => {
      const covered = window.innerHeight - viewport.height - viewport.offsetTop;
      current.style.setProperty('--covered', `${Math.max(0, covered)}px`);
    };
    viewport.addEventListener('resize', place);
    viewport.addEventListener('scroll', place);
    current.addEventListener('mousedown', keepFocus);
    return () => {
      current.removeEventListener('mousedown', keepFocus);
      viewport.removeEventListener('resize', place);
      viewport.removeEventListener('scroll', place);
    };
  }, []);
  return (
    <div ref={bar} className={classes.keyboardBar}>
      {children}
    </div>
  );
}

function Tools({
  editor,
  onAttach,
}: {
  editor: React.RefObject<Editor | null>;
  onAttach: () => void;
}) {
  const { notes, attachments } = useSignedInText();
  const { editor: texts } = notes;
  const { formats, tableColumn: column } = texts;
  const tools: { icon: IconName; label: string; run: (target: Editor) => unknown }[] = [
    { icon: 'bold', label: formats.bold, run: toggleMark('**') },
    { icon: 'italic', label: formats.italic, run: toggleMark('_') },
    { icon: 'heading', label: formats.heading, run: toggleLines('## ') },
    { icon: 'list', label: formats.list, run: toggleLines('- ') },
    { icon: 'task', label: formats.task, run: toggleLines('- [ ] ') },
    { icon: 'quote', label: formats.quote, run: toggleLines('> ') },
    { icon: 'code', label: formats.code, run: toggleMark('`') },
    { icon: 'link', label: formats.link, run: insertLink(texts.linkText) },
    {
      icon: 'table',
      label: formats.table,
      run: insertLines(`| ${column} | ${column} |\n| --- | --- |\n|  |  |`),
    },
  ];
  return (
    <div role="group" aria-label={texts.format} className={classes.tools}>
      {tools.map(({ icon, label, run }) => (
        <IconButton
          key={icon}
          icon={icon}
          label={label}
          onClick={() => {
            if (editor.current === null) return;
            run(editor.current);
            editor.current.focus();
          }}
        />
      ))}
      <IconButton icon="attach" label={attachments.attach} onClick={onAttach} />
    </div>
  );
}
