import type { Crop } from './crop.ts';

const SIZE_MAX_PX = 512;
const QUALITY = 0.9;

/** Draws the square of the image so that it fills the canvas. */
export function drawCrop(canvas: HTMLCanvasElement, image: ImageBitmap, crop: Crop): void {
  const { left, top, side } = crop;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.imageSmoothingQuality = 'high';
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, left, top, side, side, 0, 0, canvas.width, canvas.height);
}

/**
 * The square as a file, at most 512 pixels wide and without the place and time that a camera writes into
 * its files.
 */
export function croppedImage(image: ImageBitmap, crop: Crop): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.min(Math.round(crop.side), SIZE_MAX_PX);
  canvas.height = canvas.width;
  drawCrop(canvas, image, crop);
  // A browser that cannot write WebP writes PNG.
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', QUALITY));
}
