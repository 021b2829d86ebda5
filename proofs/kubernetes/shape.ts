/**
 * From the k6-operator's CustomResourceDefinition to a JSON schema that ajv knows: descriptions are dropped, what is not
 * named is refused (an API server would drop it, silently or with a warning), and the parts that no manifest of ours uses stay open.
 */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';

const comment =
  'Reduced from the CustomResourceDefinition TestRun of the k6-operator (Apache-2.0) by proofs/kubernetes/shape.ts';

const pods = ['initializer', 'starter', 'runner'];

type Schema = { [member: string]: unknown };

/** Members below which nothing of ours is ever written. */
const open = new Set([
  'affinity',
  'tolerations',
  'topologySpreadConstraints',
  'initContainers',
  'livenessProbe',
  'readinessProbe',
  'scuttle',
  'status',
]);

/** Kinds of volumes and of environment sources that are never used. */
const volumes = new Set(['name', 'secret', 'configMap', 'persistentVolumeClaim', 'emptyDir']);

export function shapeOf(definition: string): Schema {
  const crd = parse(definition) as { spec: { versions: { name: string; schema: { openAPIV3Schema: Schema } }[] } };
  const version = crd.spec.versions.find(({ name }) => name === 'v1alpha1');
  if (version === undefined) throw new Error('the definition has no version v1alpha1');
  const whole = reduced(version.schema.openAPIV3Schema, '') as { properties: { spec: { properties: Schema } } };
  const members = whole.properties.spec.properties;
  // Three pods, one shape.
  const pod = members.runner;
  for (const name of pods) {
    if (!isDeepStrictEqual(members[name], pod)) throw new Error(`${name} is another kind of pod`);
    members[name] = { $ref: '#/$defs/pod' };
  }
  return { $comment: comment, ...whole, $defs: { pod } };
}

function reduced(schema: Schema, name: string): Schema {
  if (open.has(name) || schema['x-kubernetes-preserve-unknown-fields'] === true) return {};
  if (schema['x-kubernetes-int-or-string'] === true) return { type: ['integer', 'string'] };
  const { type, properties, items, required, enum: values, additionalProperties } = schema;
  const members = Object.entries((properties ?? {}) as Record<string, Schema>).filter(
    ([member]) => name !== 'volumes[]' || volumes.has(member),
  );
  return {
    ...(type === undefined ? {} : { type }),
    ...(values === undefined ? {} : { enum: values }),
    ...(required === undefined ? {} : { required }),
    ...(members.length === 0
      ? {}
      : {
          properties: Object.fromEntries(members.map(([member, each]) => [member, reduced(each, member)])),
          additionalProperties: false,
        }),
    ...(items === undefined ? {} : { items: reduced(items as Schema, `${name}[]`) }),
    ...(typeof additionalProperties === 'object' && additionalProperties !== null
      ? { additionalProperties: reduced(additionalProperties as Schema, '') }
      : {}),
  };
}
