/**
 * Source of a pattern for `[[Title]]` and `[[Title|other words]]`, within one line. The browser renders notes
 * too, so this imports nothing.
 */
export const TITLE_LINK = String.raw`\[\[([^[\]|\n]{1,200})(?:\|([^[\]\n]{1,200}))?\]\]`;
