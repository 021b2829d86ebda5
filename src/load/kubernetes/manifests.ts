/** What the k6-operator is asked for: the script, a place for the results, the run itself, and a pod to fetch results by. */
import type { Bundle } from './bundle.ts';

export interface ClusterRun {
  /** Of everything; unique, so that results of two runs never mix. */
  readonly name: string;
  readonly namespace?: string;
  readonly bundle: Bundle;
  readonly pods: number;
  /** Has the member `keys`, one key a line, and where the profile has them `headers` (JSON) and `ca` (PEM). */
  readonly secret: { readonly name: string; readonly headers: boolean; readonly ca: boolean };
  readonly image: string;
  readonly cpu: { readonly request: string; readonly limit?: string };
  readonly memory: string;
  readonly results: { readonly claim: string; readonly size: string; readonly storageClass?: string };
  /** Where keys and results are mounted. */
  readonly places?: { readonly keys: string; readonly results: string };
}

export const usualPlaces = { keys: '/touchstone/keys', results: '/touchstone/results' } as const;

/** Where the ConfigMap's script finds its keys. */
export const keysFile = (folder: string): string => `${folder}/keys`;

export type Manifest = { readonly apiVersion: string; readonly kind: string; readonly [member: string]: unknown };

/** The user and group of k6's image. */
const k6User = 12_345;

/** What ends with this is a pod's samples. */
export const samplesSuffix = '.samples';

export function manifestsOf(run: ClusterRun): Manifest[] {
  return [script(run), claim(run), testRun(run)];
}

const metadata = ({ namespace }: ClusterRun, name: string) => ({
  name,
  ...(namespace === undefined ? {} : { namespace }),
  labels: { 'app.kubernetes.io/name': 'touchstone' },
});

const script = (run: ClusterRun): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: metadata(run, run.name),
  data: Object.fromEntries(run.bundle.files),
});

const claim = (run: ClusterRun): Manifest => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: metadata(run, run.results.claim),
  spec: {
    // Pods of several nodes write to it.
    accessModes: ['ReadWriteMany'],
    ...(run.results.storageClass === undefined ? {} : { storageClassName: run.results.storageClass }),
    resources: { requests: { storage: run.results.size } },
  },
});

function testRun(run: ClusterRun): Manifest {
  const { keys, results } = run.places ?? usualPlaces;
  const volume = { name: 'keys', secret: { secretName: run.secret.name, defaultMode: 0o440 } };
  const mount = { name: 'keys', mountPath: keys, readOnly: true };
  const quiet = [
    { name: 'K6_NO_USAGE_REPORT', value: 'true' },
    { name: 'K6_AUTO_EXTENSION_RESOLUTION', value: 'false' },
  ];
  const pod = {
    image: run.image,
    securityContext: { runAsNonRoot: true, runAsUser: k6User, runAsGroup: k6User, fsGroup: k6User },
    containerSecurityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    automountServiceAccountToken: 'false',
  };
  return {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: metadata(run, run.name),
    spec: {
      parallelism: run.pods,
      script: { configMap: { name: run.name, file: run.bundle.main } },
      // With both, k6 keeps no samples in memory; raw, so that a line of samples is nothing but that.
      arguments: '--no-thresholds --summary-mode=disabled --log-format=raw --no-color',
      // Its environment is put on a command line by the operator, so nothing that a shell would read is in it.
      initializer: { ...pod, env: quiet, volumes: [volume], volumeMounts: [mount] },
      runner: {
        ...pod,
        env: [
          ...quiet,
          { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'K6_CONSOLE_OUTPUT', value: `${results}/$(POD_NAME)${samplesSuffix}` },
          ...(run.secret.ca ? [{ name: 'SSL_CERT_FILE', value: `${keys}/ca` }] : []),
          ...(run.secret.headers
            ? [{ name: 'HEADERS', valueFrom: { secretKeyRef: { name: run.secret.name, key: 'headers' } } }]
            : []),
        ],
        resources: {
          requests: { cpu: run.cpu.request, memory: run.memory },
          limits: { ...(run.cpu.limit === undefined ? {} : { cpu: run.cpu.limit }), memory: run.memory },
        },
        volumes: [volume, { name: 'results', persistentVolumeClaim: { claimName: run.results.claim } }],
        volumeMounts: [mount, { name: 'results', mountPath: results }],
      },
    },
  };
}

/** Applied when the run is over, to copy the results by. */
export const collector = (run: ClusterRun): Manifest => {
  const { results } = run.places ?? usualPlaces;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata(run, `${run.name}-results`),
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: k6User, runAsGroup: k6User, fsGroup: k6User },
      containers: [
        {
          name: 'results',
          // It has `tar`, which `kubectl cp` needs, and is on the nodes already.
          image: run.image,
          command: ['sleep', '3600'],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          volumeMounts: [{ name: 'results', mountPath: results, readOnly: true }],
        },
      ],
      volumes: [{ name: 'results', persistentVolumeClaim: { claimName: run.results.claim, readOnly: true } }],
    },
  };
};
