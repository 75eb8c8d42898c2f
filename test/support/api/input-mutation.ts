/** Returns a GraphQL document for a mutation that selects `selection`. */
export function inputMutation(name: string, selection = 'id'): string {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  return `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`;
}
