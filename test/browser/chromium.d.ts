/** What the tests use of it; the package itself is installed when they run. */
declare module '@sparticuz/chromium' {
  const chromium: { readonly args: readonly string[]; executablePath(): Promise<string> };
  export default chromium;
}
