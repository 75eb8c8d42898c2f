/** Returns the values of an enum type, each with its description. */
export function describedValues<Name extends string>(
  names: readonly Name[],
  descriptions: Readonly<Record<Name, string>>,
): Record<Name, { readonly description: string }> {
  const described = names.map((name) => [name, { description: descriptions[name] }] as const);
  return Object.fromEntries(described) as Record<Name, { readonly description: string }>;
}
