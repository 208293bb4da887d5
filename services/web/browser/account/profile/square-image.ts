const SIZE_MAX_PX = 512;
const QUALITY = 0.9;

/**
 * The square in the middle of an image, at most 512 pixels wide and without the place and time that a
 * camera writes into its files.
 * @returns null when the file is not an image that this browser can show
 */
export async function squareImage(file: Blob): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return null;
  const side = Math.min(bitmap.width, bitmap.height);
  const size = Math.min(side, SIZE_MAX_PX);
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const left = (bitmap.width - side) / 2;
  const top = (bitmap.height - side) / 2;
  canvas.getContext('2d')?.drawImage(bitmap, left, top, side, side, 0, 0, size, size);
  bitmap.close();
  // A browser that cannot write WebP writes PNG.
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', QUALITY));
}
