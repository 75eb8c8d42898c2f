import { readFileSync } from 'node:fs';
import express from 'express';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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

test('the example of a proxy forwards every public path, and nothing else', () => {
  const matcher = /@service path (.+)/.exec(readFileSync('Caddyfile', 'utf8'))?.[1] ?? '';
  const patterns = matcher.split(' ');
  const forwards = (path: string) =>
    patterns.some((pattern) =>
      pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
    );
  expect(publicPaths()).toEqual(
    expect.arrayContaining(['/', '/api/v1', '/graphql/stream', '/v1', '/mcp', '/widget.js']),
  );
  expect(publicPaths().filter((path) => !forwards(path) && !forwards(`${path}/x`))).toEqual([]);
  expect(['/health', '/health/ready', '/metrics', '/x'].filter(forwards)).toEqual([]);
});

test('the guide to deployment names every public path', () => {
  const guide = readFileSync('docs/guides/deployment.md', 'utf8');
  const [, section = ''] = /## The proxy in front\n([\s\S]*?)\n## /.exec(guide) ?? [];
  const named = [...section.matchAll(/`(\/[\w./-]*)`/g)].map(([, path = '']) => path);
  const isNamed = (path: string) =>
    named.some((name) => path === name || (name !== '/' && path.startsWith(`${name}/`)));
  expect(publicPaths().filter((path) => !isNamed(path))).toEqual([]);
});
