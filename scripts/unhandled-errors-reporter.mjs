// A vitest reporter for verify.mjs: writes the errors that no test caught to the file UNHANDLED_ERRORS_FILE, as a JSON
// array of texts. vitest's own JSON report leaves them out, although they fail the run.
import { writeFileSync } from 'node:fs';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default class UnhandledErrorsReporter {
  onTestRunEnd(_modules, unhandledErrors) {
    const texts = unhandledErrors.map(({ type, name, message, stack, cause, VITEST_TEST_PATH }) =>
      [
        `${type ?? 'Unhandled error'} while ${VITEST_TEST_PATH ?? 'an unknown file'} ran:`,
        stack ?? `${name}: ${message}`,
        cause === undefined ? '' : `cause: ${cause.stack ?? cause.message ?? cause}`,
      ].join('\n'),
    );
    writeFileSync(process.env.UNHANDLED_ERRORS_FILE, JSON.stringify(texts));
  }
}
