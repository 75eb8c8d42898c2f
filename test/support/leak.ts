/**
 * Matches a response that contains INTERNAL, a line of a stack, or words of Postgres, Prisma and their errors. INTERNAL is
 * allowed as the error of a failed document.
 */
export const leak =
  /(?<!"error":\{)"code":"INTERNAL"|(?:\\n|\n)\s+at |node_modules|PrismaClient|grounded\.\w+ |SQLSTATE|syntax error at or near|invalid input syntax/;
