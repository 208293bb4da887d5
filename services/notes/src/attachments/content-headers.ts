/** Pictures that a page may show; browsers save everything else. */
const INLINE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** RFC 6266: the name in ASCII, and as it is (RFC 8187). */
function disposition(type: string, name: string): string {
  const kind = INLINE_TYPES.includes(type) ? 'inline' : 'attachment';
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** The headers of an uploaded file: even opened by itself it can run nothing. */
export function contentHeaders(file: {
  type: string;
  name: string;
  sizeBytes: number;
}): Record<string, string> {
  return {
    'content-type': file.type,
    'content-length': String(file.sizeBytes),
    'content-disposition': disposition(file.type, file.name),
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    // A former member cannot read it from a browser's cache either.
    'cache-control': 'no-store',
  };
}
