/** What the test uses of it; the package itself is installed when it runs. */
declare module 'recheck' {
  export function checkSync(
    pattern: string,
    flags: string,
    options: { readonly checker: 'automaton'; readonly timeout: number },
  ):
    | { readonly status: 'safe' }
    | { readonly status: 'vulnerable'; readonly complexity: { readonly summary: string } }
    | { readonly status: 'unknown'; readonly error: { readonly kind: string } };
}
