import { readFileSync } from 'node:fs';
import { Deployment } from 'kubernetes-models/apps/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { environmentSchema } from '../../src/config/environment.ts';
import { readDockerfile } from '../dockerfile.ts';

const text = readFileSync(new URL('../../deploy/kubernetes.yml', import.meta.url), 'utf8');
const [deployment, service, budget, forAlerts] = parseAllDocuments(text).map((document) => document.toJS());
const pod = deployment.spec.template.spec;
const [herald] = pod.containers;

it.each([
  ['a deployment', Deployment, deployment],
  ['a service', Service, service],
  ['a budget of disruptions', PodDisruptionBudget, budget],
  ['a service for alerts', Service, forAlerts],
] as const)('has %s, by the schema of Kubernetes', (_name, Model, value) => {
  expect(() => new Model(value).validate()).not.toThrow();
  const wrong = structuredClone(value);
  wrong.spec.selector = 'herald';
  expect(() => new Model(wrong).validate()).toThrow();
});

it('asks at the addresses and the port that the image has', () => {
  const probes = [herald.livenessProbe, herald.readinessProbe, herald.startupProbe];
  expect(probes.map(({ httpGet }) => httpGet)).toEqual(
    ['/healthz', '/readyz', '/healthz'].map((path) => ({ path, port: 'http' })),
  );
  const exposed = readDockerfile().find(({ name }) => name === 'EXPOSE')?.value;
  expect(herald.ports).toEqual([{ name: 'http', containerPort: Number(exposed) }]);
  expect(herald.image).toBe(`herald:${packageJson.version}`);
  expect(service.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
});

it('finds the same pods by all four', () => {
  const labels = deployment.spec.template.metadata.labels;
  expect(deployment.spec.selector.matchLabels).toEqual(labels);
  expect(service.spec.selector).toEqual(labels);
  expect(budget.spec.selector.matchLabels).toEqual(labels);
  expect(forAlerts.spec.selector).toEqual(labels);
});

it('lets alerts in while a pod is not ready, as none is while Slack is down', () => {
  const { publishNotReadyAddresses, ports } = forAlerts.spec;
  expect([publishNotReadyAddresses, ports]).toEqual([true, service.spec.ports]);
  expect(service.spec.publishNotReadyAddresses).toBeUndefined();
});

it('sets variables that Herald reads, holds no secret, and gives Herald the time that stopping takes', () => {
  const names = herald.env.map(({ name }: { name: string }) => name);
  expect(names.filter((name: string) => !(name in environmentSchema.shape))).toEqual([]);
  expect(names.filter((name: string) => /TOKEN|SECRET|KEY|URL/.test(name))).toEqual(['DATABASE_URL']);
  // Without it each replica would use a file of its own, which the image names.
  expect(herald.env[0].valueFrom).toEqual({ secretKeyRef: { name: 'herald', key: 'DATABASE_URL' } });
  expect(herald.envFrom).toEqual([{ secretRef: { name: 'herald' } }]);
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
    herald.lifecycle.preStop.sleep.seconds + 30,
  );
});

it('confines Herald to what it writes to', () => {
  expect(herald.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
});
