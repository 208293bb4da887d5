import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { WIDTH_PX, withinWidth } from './use-sidebar-state.ts';
import classes from './sidebar.module.css';

const STEP_PX = 16;

/** The right edge of the sidebar, with which it is made wider and narrower. */
export function SidebarEdge({
  width,
  onResize,
}: {
  width: number;
  onResize: (width: number) => void;
}) {
  const { shell } = useSignedInText();
  const widthOf: Record<string, number> = {
    ArrowLeft: width - STEP_PX,
    ArrowRight: width + STEP_PX,
    Home: WIDTH_PX.min,
    End: WIDTH_PX.max,
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex -- a separator that is moved is a control
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={shell.sidebarWidth}
      aria-valuemin={WIDTH_PX.min}
      aria-valuemax={WIDTH_PX.max}
      aria-valuenow={withinWidth(width)}
      tabIndex={0}
      className={classes.edge}
      onDoubleClick={() => onResize(WIDTH_PX.initial)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onResize(event.clientX);
      }}
      onKeyDown={(event) => {
        const next = widthOf[event.key];
        if (next === undefined) return;
        event.preventDefault();
        onResize(next);
      }}
    />
  );
}
