import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef } from 'react';
import { useAllText } from '../../../texts/signed-in-texts.tsx';
import { type Crop, moveCrop, zoomCrop, zoomOf } from './crop.ts';
import classes from './crop-view.module.css';
import { drawCrop } from './cropped-image.ts';

/** Pixels of the canvas along a side: twice what is shown, for dense displays. */
const CANVAS_PX = 560;
/** The part of the view that an arrow key moves the picture by. */
const KEY_STEP = 0.04;
/** Turning a wheel this many pixels zooms by a factor of e. */
const WHEEL_PX = 500;

const DIRECTIONS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

interface Point {
  x: number;
  y: number;
}

/** The square of a picture, which is dragged, pinched, or moved by keys under the circle that others see. */
export function CropView({
  image,
  crop,
  onChange,
}: {
  image: ImageBitmap;
  crop: Crop;
  onChange: (crop: Crop) => void;
}) {
  const texts = useAllText().account.profile.crop;
  const hintId = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointers = useRef(new Map<number, Point>());
  useEffect(() => {
    if (canvas.current !== null) drawCrop(canvas.current, image, crop);
  }, [image, crop]);

  // Where its middle is, in per cent of the picture.
  const x = ((crop.left + crop.side / 2) / image.width) * 100;
  const y = ((crop.top + crop.side / 2) / image.height) * 100;

  const drag = (event: PointerEvent) => {
    const { current: points } = pointers;
    if (!points.has(event.pointerId)) return;
    const before = [...points.values()];
    points.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = [...points.values()];
    const from = middleOf(before);
    const to = middleOf(after);
    const spread = before.length < 2 ? 1 : distanceOf(after) / distanceOf(before);
    const zoomed = zoomCrop(crop, zoomOf(crop, image) * spread, image);
    const pixels = zoomed.side / event.currentTarget.clientWidth;
    const by = { x: (from.x - to.x) * pixels, y: (from.y - to.y) * pixels };
    onChange(moveCrop(zoomed, by, image));
  };
  const release = (event: PointerEvent) => pointers.current.delete(event.pointerId);
  const moveByKey = (event: KeyboardEvent) => {
    const direction = DIRECTIONS[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    const step = crop.side * KEY_STEP;
    onChange(moveCrop(crop, { x: direction.x * step, y: direction.y * step }, image));
  };

  return (
    <div>
      <div
        role="slider"
        aria-label={texts.view}
        aria-valuenow={Math.round(x)}
        aria-valuetext={`${Math.round(x)} %, ${Math.round(y)} %`}
        aria-describedby={hintId}
        tabIndex={0}
        data-autofocus
        className={classes.view}
        onKeyDown={moveByKey}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        }}
        onPointerMove={drag}
        onPointerUp={release}
        onPointerCancel={release}
        onWheel={({ deltaY }) =>
          onChange(zoomCrop(crop, zoomOf(crop, image) * Math.exp(-deltaY / WHEEL_PX), image))
        }
      >
        <canvas ref={canvas} width={CANVAS_PX} height={CANVAS_PX} className={classes.picture} />
      </div>
      <p id={hintId} className={classes.hint}>
        {texts.hint}
      </p>
    </div>
  );
}

/** The middle of two fingers, or the place of one. */
function middleOf(points: readonly Point[]): Point {
  const [a = { x: 0, y: 0 }, b = a] = points;
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function distanceOf([a, b]: readonly Point[]): number {
  return a === undefined || b === undefined ? 1 : Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
}
