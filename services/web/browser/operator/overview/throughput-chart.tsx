import type { DeliveryQueues } from '@atrium/client';
import classes from '../operator.module.css';

const HEIGHT = 64;
const STEP = 10;
const BAR = 7;

/** A bar for each minute: failures at the foot, deliveries above them. */
export function ThroughputChart({
  minutes,
  label,
}: {
  minutes: DeliveryQueues['throughput'];
  label: string;
}) {
  const most = Math.max(1, ...minutes.map(({ delivered, failed }) => delivered + failed));
  const heightOf = (count: number) => (count / most) * (HEIGHT - 1);
  return (
    <svg
      role="img"
      aria-label={label}
      className={classes.chart}
      viewBox={`0 0 ${minutes.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {minutes.map(({ minute, delivered, failed }, index) => {
        const failedHeight = heightOf(failed);
        const deliveredHeight = heightOf(delivered);
        const x = index * STEP;
        return (
          <g key={minute}>
            <rect className={classes.track} x={x} y={HEIGHT - 1} width={BAR} height={1} />
            <rect
              className={classes.delivered}
              x={x}
              y={HEIGHT - 1 - failedHeight - deliveredHeight}
              width={BAR}
              height={deliveredHeight}
            />
            <rect
              className={classes.failed}
              x={x}
              y={HEIGHT - 1 - failedHeight}
              width={BAR}
              height={failedHeight}
            />
          </g>
        );
      })}
    </svg>
  );
}
