/** Real HTTP stacks, each with its own defaults: what starts it, and where its version stands. Their programs are in fixtures/clients/stacks. */

export interface Kit {
  /** Its folder below fixtures/clients/stacks. */
  readonly folder: string;
  /** Without one of these it is omitted. */
  readonly needs: readonly string[];
  /** Puts into its copy in the cache what its manifest pins. */
  readonly install: readonly (readonly string[])[];
  /** Says the version of the language. */
  readonly version: readonly string[];
}

export interface Stack {
  readonly name: string;
  readonly kit: Kit;
  /** `{folder}` is the copy of its kit. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file and the pattern in which its version is pinned; if omitted: the language's own. */
  readonly pinned?: readonly [file: string, pattern: RegExp];
}

const python: Kit = {
  folder: 'python',
  needs: ['python3'],
  install: [
    ['python3', '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'].concat([
      '--target',
      'packages',
      '-r',
      'requirements.txt',
    ]),
  ],
  version: ['python3', '--version'],
};

const node: Kit = {
  folder: 'node',
  needs: ['npm'],
  install: [['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']],
  version: ['node', '--version'],
};

const go: Kit = {
  folder: 'go',
  needs: ['go'],
  install: [['go', 'build', '-o', 'bin/', './nethttp', './retryablehttp', './resty']],
  version: ['go', 'version'],
};

const rust: Kit = {
  folder: 'rust',
  needs: ['cargo'],
  install: [['cargo', 'build', '--quiet', '--release', '--locked']],
  version: ['cargo', '--version'],
};

const java: Kit = {
  folder: 'java',
  needs: ['java', 'javac'],
  install: [['javac', 'WithJava.java']],
  version: ['java', '--version'],
};

const curl: Kit = { folder: 'curl', needs: ['curl', 'od'], install: [], version: ['curl', '--version'] };

const inPython = (name: string, file: string, distribution = name): Stack => ({
  name,
  kit: python,
  command: ['python3', `{folder}/${file}.py`],
  env: { PYTHONPATH: '{folder}/packages' },
  pinned: ['requirements.txt', new RegExp(`^${distribution}==(.+)$`, 'm')],
});

const inNode = (name: string): Stack => ({
  name,
  kit: node,
  command: ['node', `{folder}/with-${name}.mjs`],
  pinned: ['package.json', new RegExp(`"${name}": "(.+)"`)],
});

const inGo = (name: string, pinned: Stack['pinned'], program = name): Stack => ({
  name,
  kit: go,
  command: [`{folder}/bin/${program}`],
  ...(pinned === undefined ? {} : { pinned }),
});

export const stacks: readonly Stack[] = [
  inPython('requests', 'with_requests'),
  { ...inPython('requests + urllib3 `Retry`', 'with_retry', 'urllib3') },
  { ...inPython('the same, `allowed_methods=None`', 'with_retry_of_post', 'urllib3') },
  inPython('httpx', 'with_httpx'),
  inPython('aiohttp', 'with_aiohttp'),
  { name: 'fetch', kit: node, command: ['node', '{folder}/with-fetch.mjs'] },
  inNode('axios'),
  inNode('got'),
  inNode('ky'),
  inGo('net/http', undefined, 'nethttp'),
  inGo('go-retryablehttp', ['go.mod', /go-retryablehttp v(\S+)/], 'retryablehttp'),
  inGo('resty, `SetRetryCount(3)`', ['go.mod', /resty\/v2 v(\S+)/], 'resty'),
  {
    name: 'reqwest',
    kit: rust,
    command: ['{folder}/target/release/stack'],
    pinned: ['Cargo.toml', /reqwest = .*"=([\d.]+)"/],
  },
  { name: 'java.net.http', kit: java, command: ['java', '-cp', '{folder}', 'WithJava'] },
  { name: 'curl', kit: curl, command: ['sh', '{folder}/plain.sh'] },
  { name: 'curl `--retry 3`', kit: curl, command: ['sh', '{folder}/plain.sh', '--retry', '3'] },
];
