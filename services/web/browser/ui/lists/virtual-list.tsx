import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import rows from './rows.module.css';

/** Few, because a jump mounts all of them at once. */
const OVERSCAN_ROWS = 4;
const BORDERS_PX = 2;

/**
 * A list of any length: only the rows in view, and a few around them, are in the page. Rows of one height are
 * the fastest, because the list knows where each of them is.
 */
export function VirtualList<Item extends { id: string }>({
  items,
  label,
  rowHeightPx,
  isMeasured = false,
  children,
}: {
  items: readonly Item[];
  label?: string;
  /** An estimate when rows are measured. */
  rowHeightPx: number;
  /** Whether rows may be of another height, and each is measured when it shows. */
  isMeasured?: boolean;
  /** A memoized component, which is rendered once while the list is scrolled. */
  children: (item: Item) => ReactNode;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setTop(list.current?.offsetTop ?? 0);
    measure();
    // What stands above the list may grow.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const [focusedId, setFocusedId] = useState<string>();
  const focused = useMemo(
    () => (focusedId === undefined ? -1 : items.findIndex(({ id }) => id === focusedId)),
    [items, focusedId],
  );
  /** Also the row that last had the focus, so that it keeps it, and those that j and k lead to from there. */
  const mountedRows = (range: Range) => {
    const shown = defaultRangeExtractor(range);
    if (focused === -1) return shown;
    const near = [focused - 1, focused, focused + 1].filter((index) => items[index] !== undefined);
    return [...new Set([...shown, ...near])].toSorted((a, b) => a - b);
  };
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes these components
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeightPx,
    // Another function would place all rows anew.
    getItemKey: useCallback((index: number) => items[index]?.id ?? index, [items]),
    overscan: OVERSCAN_ROWS,
    scrollMargin: top,
    rangeExtractor: mountedRows,
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeightPx]);
  return (
    <ul
      ref={list}
      className={rows.list}
      aria-label={label}
      style={{ position: 'relative', height: virtualizer.getTotalSize() + BORDERS_PX }}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index];
        return (
          item !== undefined && (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only remembers the row
            <li
              key={key}
              ref={isMeasured ? virtualizer.measureElement : undefined}
              data-index={index}
              onFocus={() => setFocusedId(item.id)}
              className={isMeasured ? rows.measured : rows.virtual}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{
                transform: `translateY(${start - top}px)`,
                ...(!isMeasured && { height: rowHeightPx }),
              }}
            >
              {children(item)}
            </li>
          )
        );
      })}
    </ul>
  );
}
