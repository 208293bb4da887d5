import { language } from './code-mirror/language.ts';

export interface Heading {
  level: number;
  text: string;
  position: number;
}

const LEVEL = /^(?:ATX|Setext)Heading(\d)$/;
/** What is not a part of the words. */
const SIGN = /Mark$|^URL$|^LinkTitle$|^Escape$/;

/** The headings of a note, in the order of its text, without those in quotes and lists; an empty one has no text. */
export function outlineOf(content: string): Heading[] {
  const headings: Heading[] = [];
  language.parse(content).iterate({
    enter({ name, from, to, node }) {
      const level = LEVEL.exec(name)?.[1];
      if (level === undefined) return name === 'Document';
      let text = '';
      let start = from;
      node.toTree().iterate({
        enter(part) {
          if (!SIGN.test(part.name)) return;
          text += content.slice(start, from + part.from);
          start = part.name === 'Escape' ? from + part.from + 1 : from + part.to;
        },
      });
      text = (text + content.slice(start, to)).trim();
      headings.push({ level: Number(level), text, position: from });
      return false;
    },
  });
  return headings;
}
