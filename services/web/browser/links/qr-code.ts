const OPTIONS = { ecc: 'M', border: 4 } as const;
const MODULE_SIZE_PX = 16;

/** The QR code of a URL as an SVG image. The library is loaded at its first use. */
export async function qrCodeSvg(url: string): Promise<string> {
  const { renderSVG } = await import('uqr');
  return renderSVG(url, OPTIONS);
}

/** The QR code of a URL as a PNG file. */
export async function qrCodePng(url: string): Promise<Blob> {
  const { encode } = await import('uqr');
  const { size, data } = encode(url, OPTIONS);
  const canvas = new OffscreenCanvas(size * MODULE_SIZE_PX, size * MODULE_SIZE_PX);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser has no canvas');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  for (const [y, row] of data.entries()) {
    for (const [x, isDark] of row.entries()) {
      if (isDark) {
        context.fillRect(x * MODULE_SIZE_PX, y * MODULE_SIZE_PX, MODULE_SIZE_PX, MODULE_SIZE_PX);
      }
    }
  }
  return canvas.convertToBlob({ type: 'image/png' });
}
