/** A part of Babel's syntax tree, as far as it is looked at here. */
interface Path {
  readonly node: {
    readonly type: string;
    readonly callee?: {
      readonly object?: { readonly name?: string; readonly property?: { readonly name?: string } };
    };
  };
}

/** Leaves out what a log line says: nobody's tests should repeat it. Whether it is written is still tried. */
const logLines = {
  shouldIgnore({ node }: Path): string | undefined {
    const of = node.type === 'CallExpression' ? node.callee?.object : undefined;
    return (of?.name ?? of?.property?.name) === 'logger' ? 'the words of a log line' : undefined;
  },
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'log-lines', value: logLines }];
