import { useStartTexts } from '../texts/lazy-texts.ts';
import { Icon } from '../ui/controls/icon.tsx';
import classes from './product-picture.module.css';

/** Per cent of the highest bar. */
const CLICKS = [18, 26, 22, 35, 48, 41, 57, 52, 68, 61, 79, 88, 83, 100];
const EVENTS = ['note.shared', 'go.click', 'go.click'];
const DONE_MAX = 1;

/** What the product looks like, in the appearance and the language of the page. */
export function ProductPicture() {
  const { picture } = useStartTexts();
  return (
    <div role="img" aria-label={picture.label}>
      <div className={classes.window} aria-hidden>
        <Sidebar />
        <div className={classes.note}>
          <div className={classes.title}>{picture.notes[0]}</div>
          <p className={classes.text}>{picture.text}</p>
          {picture.tasks.map((task, index) => (
            <div key={task} className={classes.task} data-done={index <= DONE_MAX}>
              <span className={classes.box} />
              {task}
            </div>
          ))}
        </div>
        <div className={classes.cards}>
          <div className={classes.card}>
            <div className={classes.figure}>{picture.clicks}</div>
            <svg viewBox="0 0 140 48" preserveAspectRatio="none" className={classes.bars}>
              {CLICKS.map((share, index) => (
                <rect
                  key={index}
                  x={index * 10 + 1}
                  width={8}
                  y={48 - share * 0.48}
                  height={share * 0.48}
                />
              ))}
            </svg>
          </div>
          <div className={classes.card}>
            {EVENTS.map((event, index) => (
              <div key={index} className={classes.event}>
                {event}
                <span className={classes.delivered}>{picture.delivered}</span>
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

function Sidebar() {
  const { names, picture } = useStartTexts();
  return (
    <div className={classes.sidebar}>
      {(['note', 'link', 'webhook'] as const).map((icon, index) => (
        <div key={icon} className={classes.entry} data-active={index === 0}>
          <Icon name={icon} />
          {[names.notes, names.links, names.webhooks][index]}
        </div>
      ))}
      <div className={classes.workspace}>{picture.workspace}</div>
      {picture.notes.map((note, index) => (
        <div key={note} className={classes.entry} data-active={index === 0}>
          {note}
        </div>
      ))}
    </div>
  );
}
