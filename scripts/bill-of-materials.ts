import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

/** A package of which something is inside the build. */
export interface Bundled {
  /** Its folder from the top of the repository: `node_modules/pg`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** As SPDX writes it. */
  readonly license: string;
}

/**
 * What a build is made of, as CycloneDX 1.6 in JSON: Herald, and each package of which something is inside, with its version,
 * its licence, and the digest by which package-lock.json knows it.
 *
 * @param folder the top of the repository
 */
export function billOfMaterials(folder: string, packages: readonly Bundled[]): string {
  const { name, version, license } = packageJson;
  const herald = `pkg:generic/${name}@${version}`;
  const digests = digestsIn(folder);
  const components = packages.map((one) => ({
    type: 'library',
    'bom-ref': addressOf(one),
    name: one.name,
    version: one.version,
    purl: addressOf(one),
    licenses: licensesOf(one.license),
    ...(digests.has(one.path) && { hashes: [{ alg: 'SHA-512', content: digests.get(one.path) }] }),
  }));
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': herald,
        name,
        version,
        purl: herald,
        licenses: licensesOf(license),
      },
    },
    components,
    dependencies: [{ ref: herald, dependsOn: components.map((one) => one['bom-ref']) }],
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

function addressOf({ name, version }: Bundled): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function licensesOf(license: string) {
  return license.includes(' ') ? [{ expression: license }] : [{ license: { id: license } }];
}

/** By folder, in hexadecimal. */
function digestsIn(folder: string): ReadonlyMap<string, string> {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { readonly integrity?: string }>>;
  };
  return new Map(
    Object.entries(packages).flatMap(([path, { integrity = '' }]) => {
      const [, digest] = /^sha512-(\S+)$/.exec(integrity) ?? [];
      return digest === undefined ? [] : [[path, Buffer.from(digest, 'base64').toString('hex')] as const];
    }),
  );
}
