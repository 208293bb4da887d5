import {
  defineLanguageFacet,
  Language,
  languageDataProp,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin } from '@codemirror/view';
import { tagHighlighter, tags } from '@lezer/highlight';
import { GFM, parser } from '@lezer/markdown';
import classes from './code-mirror.module.css';

const data = defineLanguageFacet();
const language = new Language(
  data,
  parser.configure([GFM, { props: [languageDataProp.add({ Document: data })] }]),
  [],
  'markdown',
);

const styleOf = (name: string): string => classes[name] ?? '';

const highlighter = tagHighlighter([
  { tag: tags.heading1, class: styleOf('heading1') },
  { tag: tags.heading2, class: styleOf('heading2') },
  { tag: tags.heading3, class: styleOf('heading3') },
  { tag: tags.heading, class: styleOf('heading') },
  { tag: tags.strong, class: styleOf('strong') },
  { tag: tags.emphasis, class: styleOf('emphasis') },
  { tag: tags.strikethrough, class: styleOf('strikethrough') },
  { tag: tags.monospace, class: styleOf('code') },
  { tag: tags.link, class: styleOf('link') },
  { tag: tags.quote, class: styleOf('quote') },
  { tag: tags.atom, class: styleOf('task') },
  // The signs of Markdown itself.
  { tag: [tags.processingInstruction, tags.url, tags.labelName], class: styleOf('sign') },
  { tag: tags.contentSeparator, class: styleOf('sign') },
]);

/** Blocks whose lines have a ground or an edge of their own. */
const BLOCK_LINES: Record<string, Decoration> = {
  FencedCode: Decoration.line({ class: styleOf('codeLine') }),
  CodeBlock: Decoration.line({ class: styleOf('codeLine') }),
  Table: Decoration.line({ class: styleOf('tableLine') }),
  Blockquote: Decoration.line({ class: styleOf('quoteLine') }),
};

/** Only of the lines in view, so that a long note costs a key no more than a short one. */
function decorateBlocks(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    let decoratedTo = -1;
    syntaxTree(view.state).iterate({
      from,
      to,
      enter(node) {
        const decoration = BLOCK_LINES[node.name];
        if (decoration === undefined) return;
        const end = Math.min(node.to, to);
        let line = view.state.doc.lineAt(Math.max(node.from, from));
        for (;;) {
          // Of blocks within blocks the outer one counts.
          if (line.from > decoratedTo) builder.add(line.from, line.from, decoration);
          decoratedTo = Math.max(decoratedTo, line.from);
          if (line.to + 1 > end) break;
          line = view.state.doc.lineAt(line.to + 1);
        }
      },
    });
  }
  return builder.finish();
}

const blockLines = ViewPlugin.define(
  (view) => ({
    decorations: decorateBlocks(view),
    update({ view: updated, docChanged, viewportChanged, startState, state }) {
      const isParsed = syntaxTree(startState) !== syntaxTree(state);
      if (docChanged || viewportChanged || isParsed) this.decorations = decorateBlocks(updated);
    },
  }),
  { decorations: (plugin) => plugin.decorations },
);

/** Markdown that shows what it means while it is typed. */
export const markdown: Extension = [language, syntaxHighlighting(highlighter), blockLines];
