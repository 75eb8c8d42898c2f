import { Text } from '@mantine/core';
import { formatDuration } from '../../format/format-duration.ts';
import classes from './step-times.module.css';
import type { Trace } from './trace-query.ts';
import { stepTexts } from './trace-texts.ts';

/** The steps of an answer in their order. Each bar begins where the one before ends. */
export function StepTimes({ timings }: { readonly timings: Trace['timings'] }) {
  const total = timings.reduce((sum, { ms }) => sum + ms, 0);
  let before = 0;
  const share = (ms: number) => (total === 0 ? 0 : (ms / total) * 100);
  return (
    <ol className={classes.list}>
      {timings.map(({ step, ms }) => {
        const start = share(before);
        before += ms;
        return (
          <li key={step} className={classes.step}>
            <Text span size="sm">
              {stepTexts[step]}
            </Text>
            <span className={classes.track}>
              <span
                className={classes.bar}
                style={{ marginInlineStart: `${start}%`, width: `${share(ms)}%` }}
              />
            </span>
            <Text span size="sm" ta="right">
              {formatDuration(ms)}
            </Text>
          </li>
        );
      })}
    </ol>
  );
}
