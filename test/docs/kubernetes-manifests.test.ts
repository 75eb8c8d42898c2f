import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { settingNames } from '../../src/config/settings.ts';
import { kubernetesTypeErrors } from '../support/programs/kubernetes-types.ts';
import { type Manifest, readManifests } from '../support/programs/read-manifests.ts';

const folder = 'deploy/kubernetes';
const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
const manifests = names
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) => readManifests(join(folder, name)));
const dockerfile = readFileSync('Dockerfile', 'utf8');
const kustomization = readManifests(join(folder, 'kustomization.yaml'))[0] ?? {};

/** Returns what the last match of the pattern in the Dockerfile captured: that of the last stage. */
const inImage = (pattern: RegExp) => [...dockerfile.matchAll(pattern)].at(-1)?.[1] ?? '';
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const workloads = [...ofKind('Deployment'), ...ofKind('Job')];
const podOf = ({ spec }: Manifest) => spec.template.spec;

test('Kubernetes knows every field of the manifests, and the type of its value', () => {
  expect(manifests.length).toBeGreaterThan(8);
  expect(kubernetesTypeErrors(manifests)).toEqual([]);
});

test.each([
  ['a misspelt field', { readinesProbe: {} }, /readinesProbe/],
  ['a text for a port', { ports: [{ containerPort: 'http' }] }, /number/],
  ['an unknown policy', { imagePullPolicy: 'Sometimes' }, /"Sometimes"' is not assignable/],
])('the check of the manifests finds %s', (_, fields, message) => {
  const container = { name: 'a', image: 'b', ...fields };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { containers: [container] } };
  expect(kubernetesTypeErrors([pod]).join('\n')).toMatch(message);
});

test('the kustomization contains every manifest except the example of a secret', () => {
  const others = names.filter((name) => !/^(?:kustomization|secret\.example)\.yaml$/.test(name));
  expect([...kustomization.resources].sort()).toEqual(others.sort());
});

test('all images have the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const images = workloads.flatMap((one) => podOf(one).containers);
  expect(new Set(images.map(({ image }) => image))).toEqual(new Set([`grounded-chat:${version}`]));
  expect(kustomization.images[0]).toMatchObject({ name: 'grounded-chat', newTag: version });
});

describe.each(workloads.map((one) => [one.metadata.name, one] as const))('%s', (_, workload) => {
  const pod = podOf(workload);
  const [container] = pod.containers;
  const configMap = ofKind('ConfigMap')[0]?.data;
  const env = {
    ...Object.fromEntries((container.env ?? []).map((one: Manifest) => [one.name, one.value])),
    ...configMap,
    ...ofKind('Secret')[0]?.stringData,
  };

  test('has only settings that the service knows and accepts', () => {
    expect(Object.keys(env).filter((name) => !settingNames.includes(name))).toEqual([]);
    expect(readConfig(env).databaseUrl).toContain('postgres.example.com');
  });

  test('reads all settings from the objects of the same names', () => {
    const sources = container.envFrom.map((from: Manifest) => Object.values(from)[0]);
    expect(sources).toEqual(
      [ofKind('ConfigMap'), ofKind('Secret')].map(([one]) => ({
        name: one?.metadata.name,
      })),
    );
    expect(pod.serviceAccountName).toBe(ofKind('ServiceAccount')[0]?.metadata.name);
  });

  test('runs as the user, with the folders and the programs of the image', () => {
    expect(inImage(/^USER (.+)$/gm)).toBe('node');
    expect(pod.securityContext).toMatchObject({ runAsUser: 1000, runAsNonRoot: true });
    const mounts = container.volumeMounts.map((mount: Manifest) => mount.mountPath);
    expect(mounts).toContain(inImage(/^VOLUME (.+)$/gm));
    const volumes = pod.volumes.map(({ name }: Manifest) => name).sort();
    expect(container.volumeMounts.map(({ name }: Manifest) => name).sort()).toEqual(volumes);
    const [node, program] = container.command ?? JSON.parse(inImage(/^CMD (\[.+\])$/gm));
    expect(node).toBe('node');
    expect(readFileSync(program.replace(/^dist\/(.+)\.js$/, '$1.ts'), 'utf8')).not.toBe('');
  });

  test('stops after its running answers have had their time', () => {
    if (workload.kind !== 'Deployment') return;
    const { stopDelayMs, stopGraceMs } = readConfig(env);
    const stopMs = stopDelayMs + stopGraceMs;
    expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThanOrEqual(stopMs + 15_000);
  });

  test('is probed at the port of the image', () => {
    if (workload.kind !== 'Deployment') return;
    const ports = ['PORT', 'WORKER_PORT'].map((name) =>
      Number(inImage(new RegExp(`\\b(?<!_)${name}=(\\d+)`, 'g'))),
    );
    expect(ports).toEqual([container.ports[0].containerPort, container.ports[0].containerPort]);
    const probes = [container.readinessProbe, container.livenessProbe, container.startupProbe];
    expect(probes.map(({ httpGet }) => httpGet)).toEqual([
      { path: '/health/ready', port: container.ports[0].name },
      { path: '/health/live', port: container.ports[0].name },
      { path: '/health/live', port: container.ports[0].name },
    ]);
  });
});

test('selectors, ports and claims lead to objects of the manifests', () => {
  const labels = workloads.map(({ spec }) => spec.template.metadata.labels);
  const [service] = ofKind('Service');
  const api = ofKind('Deployment').find((one) => one.metadata.name === 'grounded-chat-api');
  expect(service?.spec.selector).toEqual(api?.spec.template.metadata.labels);
  expect(service?.spec.ports[0].targetPort).toBe(api && podOf(api).containers[0].ports[0].name);
  const selectors = [...ofKind('Deployment'), ...ofKind('PodDisruptionBudget')];
  for (const { spec } of selectors) expect(labels).toContainEqual(spec.selector.matchLabels);
  const backends = ofKind('Ingress')[0]?.spec.rules[0].http.paths.map(
    ({ backend }: Manifest) => backend.service,
  );
  const target = { name: service?.metadata.name, port: { name: service?.spec.ports[0].name } };
  expect(new Set(backends.map((one: object) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify(target)]),
  );
  const claims = workloads.flatMap((one) =>
    podOf(one).volumes.flatMap((volume: Manifest) => volume.persistentVolumeClaim?.claimName ?? []),
  );
  const claim = ofKind('PersistentVolumeClaim')[0]?.metadata.name;
  expect(claims).toEqual([claim, claim]);
});
