import { Link } from '@tanstack/react-router';
import icon from '../icon.svg';
import { useText } from '../texts/texts.tsx';
import classes from './shell.module.css';

/** The product's sign, which leads to the start page. */
export function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <img src={icon} alt="" width={20} height={20} />
      {useText().frame.product}
    </Link>
  );
}
