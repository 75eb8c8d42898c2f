/**
 * Returns a copy of the OpenAPI document in which optional parameters have no examples. Otherwise Swagger UI would send
 * these examples with each request that a reader tries out.
 */
export function withoutOptionalExamples<Document>(document: Document): Document {
  return JSON.parse(
    JSON.stringify(document, (_name, value) =>
      isOptionalParameter(value) ? { ...value, example: undefined } : value,
    ),
  );
}

function isOptionalParameter(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    'in' in value &&
    !('required' in value && value.required === true)
  );
}
