/** Returns the paths of the pages of evaluations. */
export function evaluationPaths(projectId: string) {
  const list = `/${projectId}/evaluation`;
  return {
    list,
    confidence: `${list}/confidence`,
    set: (setId: string) => `${list}/sets/${setId}`,
    run: (runId: string) => `${list}/runs/${runId}`,
    comparison: (beforeId: string, afterId: string) =>
      `${list}/runs/${beforeId}/compare/${afterId}`,
  };
}
