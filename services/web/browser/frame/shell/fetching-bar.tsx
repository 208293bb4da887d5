import { useIsFetching } from '@tanstack/react-query';
import classes from '../loaded.module.css';

/** A thin bar while data is being loaded; what is there stays in view. */
export function FetchingBar() {
  return useIsFetching() > 0 && <div className={classes.bar} aria-hidden />;
}
