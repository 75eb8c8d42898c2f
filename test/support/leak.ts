/**
 * Matches a response that contains INTERNAL, a line of a stack trace, or words from Postgres, Prisma and their errors.
 * Allows INTERNAL as the error of a failed document.
 */
export const leak =
  /(?<!"error":\{)"code":"INTERNAL"|(?:\\n|\n)\s+at |node_modules|PrismaClient|grounded\.\w+ |SQLSTATE|syntax error at or near|invalid input syntax/;
