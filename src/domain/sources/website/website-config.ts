import type { Source } from '../../../platform/postgres/generated/prisma/client.ts';
import { type Selection, selectionOf, selectionProblems } from '../selection.ts';
import {
  integerProblems,
  requireNoProblems,
  type SourceConfigInput,
  urlProblems,
} from '../source-config.ts';

/**
 * Configuration of a source of the kind `WEBSITE`. A type alias, because Prisma's JSON type does not accept interfaces.
 */
export type WebsiteConfig = Selection & {
  readonly startUrls: string[];
  readonly sitemaps: string[];
  readonly maxPages: number;
  readonly maxDepth: number;
  readonly respectRobots: boolean;
  readonly requestsPerSecond: number;
};

export const websiteFields = [
  ...['startUrls', 'sitemaps', 'include', 'exclude', 'maxPages', 'maxDepth'],
  ...['respectRobots', 'requestsPerSecond'],
] as readonly (keyof WebsiteConfig)[];

/** See `Connector.requireValidConfig`. */
export function requireValidWebsiteConfig(
  input: SourceConfigInput,
  current: Partial<WebsiteConfig>,
): WebsiteConfig {
  const config: WebsiteConfig = {
    startUrls: [...(input.startUrls ?? current.startUrls ?? [])],
    sitemaps: [...(input.sitemaps ?? current.sitemaps ?? [])],
    ...selectionOf(input, current),
    maxPages: input.maxPages ?? current.maxPages ?? 1_000,
    maxDepth: input.maxDepth ?? current.maxDepth ?? 10,
    respectRobots: input.respectRobots ?? current.respectRobots ?? true,
    requestsPerSecond: input.requestsPerSecond ?? current.requestsPerSecond ?? 1,
  };
  const { maxPages, maxDepth, requestsPerSecond } = config;
  requireNoProblems([
    ...urlProblems('config.startUrls', config.startUrls, 1, 20),
    ...urlProblems('config.sitemaps', config.sitemaps, 0, 20),
    ...selectionProblems(config),
    ...integerProblems('config.maxPages', maxPages, 1, 10_000),
    ...integerProblems('config.maxDepth', maxDepth, 0, 50),
    ...(requestsPerSecond >= 0.01 && requestsPerSecond <= 100
      ? []
      : ['config.requestsPerSecond must be between 0.01 and 100']),
  ]);
  return config;
}

/** Returns the configuration of a row. Does not check it, because the service stores only valid configurations. */
export function websiteConfigOf({ config }: Pick<Source, 'config'>): WebsiteConfig {
  return config as WebsiteConfig;
}
