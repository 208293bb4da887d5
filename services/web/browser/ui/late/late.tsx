import { type ReactNode, useEffect, useState } from 'react';

const LATE_MS = 5_000;

/** Shows its content only after a wait of 5 s. */
export function Late({ children }: { children: ReactNode }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate && children;
}
