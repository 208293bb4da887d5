import { useNetwork } from '@mantine/hooks';
import { useText } from '../texts/texts.tsx';
import classes from './shell.module.css';

/** Says that the browser has no network, on every page. */
export function OfflineNotice() {
  const { online } = useNetwork();
  const text = useText();
  return (
    <div role="status">
      {!online && <div className={classes.offline}>{text.frame.offline}</div>}
    </div>
  );
}
