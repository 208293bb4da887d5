import { expect, test } from 'vitest';
import {
  centeredCrop,
  moveCrop,
  zoomCrop,
  zoomOf,
} from '../browser/account/profile/picture/crop.ts';

const image = { width: 400, height: 200 };

test('begins with the largest square in the middle', () => {
  const crop = centeredCrop(image);
  expect(crop).toEqual({ left: 100, top: 0, side: 200 });
  expect(zoomOf(crop, image)).toBe(1);
});

test('moves no further than the edges of the image', () => {
  const crop = centeredCrop(image);
  expect(moveCrop(crop, { x: 50, y: 50 }, image)).toEqual({ left: 150, top: 0, side: 200 });
  expect(moveCrop(crop, { x: -500, y: 0 }, image).left).toBe(0);
  expect(moveCrop(crop, { x: 500, y: 0 }, image).left).toBe(200);
});

test('zooms around its middle, between the whole image and a quarter of a side', () => {
  const zoomed = zoomCrop(centeredCrop(image), 2, image);
  expect(zoomed).toEqual({ left: 150, top: 50, side: 100 });
  expect(zoomCrop(zoomed, 100, image).side).toBe(50);
  expect(zoomCrop(zoomed, 0, image)).toEqual(centeredCrop(image));
});

test('stays within the image when it zooms out at an edge', () => {
  const corner = moveCrop(zoomCrop(centeredCrop(image), 4, image), { x: 900, y: 900 }, image);
  expect(corner).toEqual({ left: 350, top: 150, side: 50 });
  expect(zoomCrop(corner, 1, image)).toEqual({ left: 200, top: 0, side: 200 });
});
