import type { Context } from '../../context.ts';
import { failOrphanedAnswers } from '../finalize-turn.ts';
import { answerLeaseSeconds } from './expired-answer-lease.ts';

const defaultIntervals = { sweepMs: 5_000, settleMs: 15_000 };

/**
 * Marks the answers of dead processes as failed as soon as their leases expire, which also returns their messages to
 * the allowance. After a database outage it first waits `settleMs`, so that running processes can renew their leases.
 */
export function startOrphanSweeper(
  { pool, log }: Pick<Context, 'pool' | 'log'>,
  { sweepMs, settleMs } = defaultIntervals,
): { stop(): void } {
  let isSweeping = false;
  let lastFailureAt = Number.NEGATIVE_INFINITY;
  const sweep = async () => {
    if (isSweeping) return;
    isSweeping = true;
    try {
      const isSettling = performance.now() - lastFailureAt < settleMs;
      if (isSettling) await pool.query('select 1');
      else await failOrphanedAnswers({ pool }, { afterSeconds: answerLeaseSeconds });
    } catch (error) {
      lastFailureAt = performance.now();
      log.warn({ err: error }, 'failed to look for answers of dead processes');
    } finally {
      isSweeping = false;
    }
  };
  const timer = setInterval(sweep, sweepMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
