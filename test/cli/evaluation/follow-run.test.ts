import { expect, test } from 'vitest';
import { followRun } from '../../../src/cli/evaluation/follow-run.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { evaluationRun } from '../../support/evaluation/evaluation-records.ts';

const started = evaluationRun({ status: 'QUEUED', figures: null });
const done = evaluationRun();
const onProgress = () => {};

test('waits until the run has finished', async () => {
  const states = [started, evaluationRun({ status: 'RUNNING', figures: null }), done];
  const target = {
    readRun: async () => states.shift() ?? done,
    cancelRun: () => Promise.reject(new Error('The run was cancelled.')),
  };
  const { signal } = new AbortController();
  expect(await followRun(target, started, { signal, onProgress })).toBe(done);
  expect(states).toEqual([]);
});

test('cancels the run when the command is asked to stop', async () => {
  const cancelled = evaluationRun({ status: 'CANCELLED', figures: null });
  const stop = new AbortController();
  const target = {
    readRun: async () => {
      stop.abort();
      return started;
    },
    cancelRun: async () => cancelled,
  };
  expect(await followRun(target, started, { signal: stop.signal, onProgress })).toBe(cancelled);
});

test('returns a run that finished before it could be cancelled', async () => {
  const target = {
    readRun: async () => done,
    cancelRun: () => Promise.reject(new DomainError('CONFLICT', 'The run has finished')),
  };
  const signal = AbortSignal.abort();
  expect(await followRun(target, started, { signal, onProgress })).toBe(done);
});
