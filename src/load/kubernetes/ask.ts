/** From a plan to everything that a cluster is asked for, and the commands that a person types. */
import { join } from 'node:path';
import { highestRate, secondsOf, vusFor } from '../../../load/shared/phases.ts';
import { scenarioNames, scenarios } from '../../../load/shared/scenarios.ts';
import { UserError } from '../../mistakes.ts';
import { scriptSettings } from '../k6/settings.ts';
import { clusterPlanOf } from '../merge/cluster-plan.ts';
import type { LoadPlan } from '../plan.ts';
import { bundle } from './bundle.ts';
import { type ClusterRun, collector, keysFile, manifestsOf, usualPlaces } from './manifests.ts';
import { memoryFor, podsFor } from './pods.ts';
import { yamlOf } from './yaml.ts';

/** What the command line says. */
export interface ClusterWishes {
  /** If omitted, as many as the rate needs. */
  readonly pods?: number;
  readonly namespace?: string;
  /** The Secret that holds the keys. */
  readonly secret?: string;
  readonly storageClass?: string;
  readonly image?: string;
  readonly places?: ClusterRun['places'];
}

export class ClusterRefused extends UserError {
  override readonly name = 'ClusterRefused';

  constructor(message: string) {
    super(message, 'load-refused');
  }
}

const k6Version = '2.2.0';
/** Of processor, for each pod. */
const coresOfPod = 1;
/** A line of samples, and some more. */
const bytesOfSample = 80;

export interface ClusterFiles {
  readonly run: ClusterRun;
  /** By name, to be written into one folder. */
  readonly files: ReadonlyMap<string, string>;
}

/** `root` is the folder that `load/` lies in. */
export function askCluster(
  plan: LoadPlan,
  wishes: ClusterWishes,
  root: string,
  read: (path: string) => string,
  written: string,
): ClusterFiles {
  if (!scenarios[plan.scenario].inCluster) {
    const fitting = scenarioNames.filter((name) => scenarios[name].inCluster);
    throw new ClusterRefused(`${plan.scenario} does not run in a cluster: ${fitting.join(', ')} do`);
  }
  if (plan.addresses !== undefined && plan.addresses.ranges !== '')
    throw new ClusterRefused(
      'each pod has an address of its own: omit --addresses, and use as many pods as you want addresses',
    );
  if (plan.workers > 1)
    throw new ClusterRefused('--workers shares the load on this machine; in a cluster pods do: omit it');
  const most = Math.max(...plan.phases.map(highestRate));
  const vus = plan.phases.reduce((sum, phase) => sum + vusFor(phase, plan.slowestMs / 1000, plan.mostVus), 0);
  const pods = wishes.pods ?? podsFor(most, vus, coresOfPod).pods;
  if (pods > 10 && pods > most)
    throw new ClusterRefused(`${pods} pods for ${most} requests a second: some would send nothing; take fewer`);
  // Twice what is reckoned with: a pod that runs out of memory is killed.
  const memory = `${Math.ceil((2 * memoryFor(vus, pods)) / 2 ** 26) * 64}Mi`;
  const slots = plan.phases.reduce((sum, phase) => sum + phase.slotsWithin(), 0);
  const cpu = String(coresOfPod);
  const name = `touchstone-${plan.scenario}-${written.replaceAll(/\D/g, '').slice(2, 14)}`;
  const places = wishes.places ?? usualPlaces;
  const settings = {
    ...scriptSettings(plan),
    INSECURE: plan.tls.insecure ? '1' : '0',
    API_KEYS_FILE: keysFile(places.keys),
  };
  const run: ClusterRun = {
    name,
    ...(wishes.namespace === undefined ? {} : { namespace: wishes.namespace }),
    bundle: bundle(join(root, 'load', `${plan.scenario}.ts`).replaceAll('\\', '/'), settings, read),
    pods,
    secret: {
      name: wishes.secret ?? 'touchstone-keys',
      headers: plan.headers.length > 0,
      ca: plan.tls.ca !== undefined,
    },
    image: wishes.image ?? `grafana/k6:${k6Version}`,
    cpu: { request: cpu },
    memory,
    results: {
      claim: 'touchstone-results',
      size: `${Math.max(1, Math.ceil((slots * bytesOfSample) / 2 ** 30))}Gi`,
      ...(wishes.storageClass === undefined ? {} : { storageClass: wishes.storageClass }),
    },
    places,
  };
  const cluster = clusterPlanOf(plan, k6Version, { count: pods, cpu, memory }, written);
  const files = new Map([
    ['manifests.yaml', yamlOf(manifestsOf(run))],
    ['collect.yaml', yamlOf([collector(run)])],
    ['plan.json', `${JSON.stringify(cluster, null, 2)}\n`],
  ]);
  return { run, files };
}

/** What to type, in order. */
export function stepsFor({ run }: ClusterFiles, plan: LoadPlan, folder: string): string[] {
  const { name, secret, namespace, places = usualPlaces } = run;
  const kubectl = namespace === undefined ? 'kubectl' : `kubectl -n ${namespace}`;
  const count = plan.keys.length;
  const seconds = Math.ceil(secondsOf(plan.phases) + plan.timeoutMs / 1000) + 300;
  const extra = [
    ...(secret.headers ? [' --from-file=headers=headers.json'] : []),
    ...(secret.ca ? [' --from-file=ca=ca.pem'] : []),
  ].join('');
  return [
    `# ${run.pods} ${run.pods === 1 ? 'pod' : 'pods'}. keys.txt: ${count === 1 ? 'the key' : `the ${count} keys of the profile, in their order, one a line`}${secret.headers ? '; headers.json: the headers of the profile, as a JSON object' : ''}`,
    `${kubectl} create secret generic ${secret.name} --from-file=keys=keys.txt${extra}`,
    `${kubectl} apply -f ${folder}/manifests.yaml`,
    `${kubectl} wait testrun/${name} --for=jsonpath='{.status.stage}'=finished --timeout=${seconds}s`,
    `${kubectl} apply -f ${folder}/collect.yaml`,
    `${kubectl} wait pod/${name}-results --for=condition=Ready --timeout=120s`,
    `${kubectl} cp ${name}-results:${places.results} ${folder}/results`,
    `${kubectl} delete -f ${folder}/manifests.yaml -f ${folder}/collect.yaml`,
    `touchstone load merge ${folder}`,
  ];
}

/** A pod with the address 127.0.0.1 would load itself. */
export function refuseOwnMachine(target: string): void {
  const { hostname } = new URL(target);
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname))
    throw new ClusterRefused(
      `${hostname} is a pod itself, seen from a pod: name the service as the cluster knows it, such as http://service.namespace.svc:8080`,
    );
}
