import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** What is known of one thing. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

/** The name of a fact beside its value, or above it on a narrow screen. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
