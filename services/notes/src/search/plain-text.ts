/**
 * Markdown as one line of plain text without any of its syntax or of HTML's, so that it can be cut
 * anywhere between words and shown anywhere. Each expression takes time proportional to the text.
 */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^[ \t]*(?:```|~~~).*$/gm, ' ')
    .replaceAll(/<\/?[a-z!][^<>]*>/gi, ' ')
    .replaceAll(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replaceAll(/^[ \t]*(?:#{1,6}|>|[-+*]|\d{1,9}[.)])[ \t]+/gm, ' ')
    .replaceAll(/\[[ xX]\]/g, ' ')
    .replaceAll(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replaceAll(/[*`~\\[\]]/g, '')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll(/[|\p{Cc}\s]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
}
