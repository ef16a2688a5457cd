import packageJson from '../package.json' with { type: 'json' };

/** Put in by scripts/build.ts; where the sources run as they are, nobody has. */
declare const HERALD_BUILD: { readonly commit: string; readonly isRelease: boolean } | undefined;

const build = typeof HERALD_BUILD === 'undefined' ? { commit: 'unknown', isRelease: false } : HERALD_BUILD;

/** What this Herald is: for its log, its metrics, `doctor` and `/herald status`. */
export const VERSION = {
  /** As package.json has it, e.g. `0.1.0`; with `+checkout` where it was built of anything but what the tag v0.1.0 names. */
  version: packageJson.version + (build.isRelease ? '' : '+checkout'),
  /** The first 7 digits of the commit it was built from, with `-changed` where files differed; `unknown` without Git. */
  commit: build.commit,
};

/** `0.1.0 (commit 3f2a1bc)` */
export function versionInWords(): string {
  return `${VERSION.version} (commit ${VERSION.commit})`;
}
