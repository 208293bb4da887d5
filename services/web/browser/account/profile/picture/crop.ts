interface Size {
  width: number;
  height: number;
}

/** A square of an image, in pixels of the image. */
export interface Crop {
  left: number;
  top: number;
  side: number;
}

export const ZOOM_MAX = 4;

/** The largest square, in the middle. */
export function centeredCrop({ width, height }: Size): Crop {
  const side = Math.min(width, height);
  return { left: (width - side) / 2, top: (height - side) / 2, side };
}

/** 1 shows the largest square. */
export function zoomOf({ side }: Crop, { width, height }: Size): number {
  return Math.min(width, height) / side;
}

/** Moves the square, as far as the image goes. */
export function moveCrop(crop: Crop, by: { x: number; y: number }, { width, height }: Size): Crop {
  const { side } = crop;
  return {
    left: Math.max(0, Math.min(width - side, crop.left + by.x)),
    top: Math.max(0, Math.min(height - side, crop.top + by.y)),
    side,
  };
}

/** Zooms around the middle of the square. */
export function zoomCrop(crop: Crop, zoom: number, image: Size): Crop {
  const side = Math.min(image.width, image.height) / Math.max(1, Math.min(ZOOM_MAX, zoom));
  const inset = (crop.side - side) / 2;
  return moveCrop({ ...crop, side }, { x: inset, y: inset }, image);
}
