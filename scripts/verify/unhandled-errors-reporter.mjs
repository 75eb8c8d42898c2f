// A vitest reporter for verify.mjs. Writes the errors that no test caught to the file UNHANDLED_ERRORS_FILE, as a JSON
// array of `{file, text}`. vitest's own JSON report does not contain them, although they make the run fail.
import { writeFileSync } from 'node:fs';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default class UnhandledErrorsReporter {
  onTestRunEnd(_modules, unhandledErrors) {
    const errors = unhandledErrors.map(({ type, name, message, stack, cause, ...error }) => ({
      file: error.VITEST_TEST_PATH ?? null,
      text: [
        `${type ?? 'Unhandled error'}: ${stack ?? `${name}: ${message}`}`,
        cause === undefined ? '' : `cause: ${cause.stack ?? cause.message ?? cause}`,
      ].join('\n'),
    }));
    writeFileSync(process.env.UNHANDLED_ERRORS_FILE, JSON.stringify(errors));
  }
}
