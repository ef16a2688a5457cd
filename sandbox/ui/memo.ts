import { Component, type ComponentType, type VNode } from 'preact';
import { html } from './html.ts';

/** A component that is drawn again only when one of its props is another value, or a context changes that it reads. */
export function memo<Props extends object>(draw: (props: Props) => VNode | null): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Record<string, unknown>>): boolean {
      const before = this.props as Readonly<Record<string, unknown>>;
      return Object.keys({ ...before, ...next }).some((name) => before[name] !== next[name]);
    }

    override render(props: Props): VNode {
      return html`<${draw} ...${props} />`;
    }
  };
}
