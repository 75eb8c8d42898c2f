import express from 'express';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { forwardedPaths } from '../support/programs/forwarded-paths.ts';
import { startTestService, type TestService } from '../support/service.ts';

const paths = new Set<string>();
let service: TestService;

/**
 * Records the paths that the service mounts. If a router is mounted without a path, records the paths of its routes.
 */
beforeAll(async () => {
  const record = (first: unknown) => {
    for (const part of [first].flat()) {
      if (typeof part === 'string') paths.add(part);
      else if (typeof part === 'function' && 'stack' in part) recordRoutes(part.stack);
    }
  };
  for (const method of ['use', 'get', 'post', 'all'] as const) {
    const original = express.application[method];
    vi.spyOn(express.application, method).mockImplementation(function (
      this: unknown,
      ...parameters: unknown[]
    ) {
      record(parameters[0]);
      return Reflect.apply(original, this, parameters);
    });
  }
  service = await startTestService({ isWorker: false });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await service?.stop();
});

function recordRoutes(stack: unknown): void {
  for (const { route } of stack as { readonly route?: { readonly path: string | string[] } }[]) {
    for (const path of [route?.path ?? []].flat()) paths.add(path);
  }
}

const publicPaths = () => {
  const internal = /^\/(?:health|metrics)/;
  return [...paths].filter((path) => path.startsWith('/') && !internal.test(path));
};

const internalPaths = ['/health', '/health/ready', '/metrics', '/x', '/widget.jsx', '/v10'];

test.each(Object.entries(forwardedPaths))(
  '%s forwards every public path, and nothing else',
  (_, read) => {
    const { forwards } = read();
    expect(publicPaths()).toEqual(
      expect.arrayContaining(['/', '/api/v1', '/graphql/stream', '/v1', '/mcp', '/widget.js']),
    );
    expect(publicPaths().filter((path) => !forwards(path) && !forwards(`${path}/x`))).toEqual([]);
    expect(internalPaths.filter(forwards)).toEqual([]);
    expect(forwards('/mcp/')).toBe(true);
  },
);

test('all examples of a proxy and the guide to deployment list the same paths', () => {
  const [first, ...others] = Object.values(forwardedPaths).map((read) => read().roots);
  expect(first?.size).toBeGreaterThan(5);
  for (const roots of others) expect(roots).toEqual(first);
});
