/** Options of a `projectId` that a caller may pass together with the id of a row. */
export function expectedProject(noun: string): { readonly description: string } {
  return {
    description: `Project that the ${noun} must belong to. Default: any project of the caller.`,
  };
}
