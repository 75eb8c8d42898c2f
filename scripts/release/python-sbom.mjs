/**
 * Returns the CycloneDX document of the Python client. Its dependencies have the ranges of pyproject.toml, because the
 * versions are chosen at the installation.
 * @param {string} pyproject the text of pyproject.toml
 */
export function pythonSbom(pyproject, version) {
  const list = /^dependencies = \[(.*)\]$/m.exec(pyproject)?.[1];
  if (list === undefined) throw new Error('pyproject.toml has no dependencies');
  const components = [...list.matchAll(/"([\w-]+)([^"]*)"/g)].map(([, name, range]) => ({
    type: 'library',
    'bom-ref': `pkg:pypi/${name}`,
    name,
    purl: `pkg:pypi/${name}`,
    properties: [{ name: 'python:requirement', value: `${name}${range}` }],
  }));
  const ref = `pkg:pypi/grounded-chat@${version}`;
  const license = { license: { id: 'Apache-2.0' } };
  const component = { type: 'library', 'bom-ref': ref, name: 'grounded-chat', version, purl: ref };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { ...component, licenses: [license] } },
    components,
    dependencies: [{ ref, dependsOn: components.map((part) => part['bom-ref']) }],
  };
}
