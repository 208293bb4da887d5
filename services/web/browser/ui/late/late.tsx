import { type ReactNode, useEffect, useState } from 'react';

const LATE_MS = 5_000;

/** Nothing at first, because most waits are over at once; its content about those that are not. */
export function Late({ children }: { children: ReactNode }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate && children;
}
