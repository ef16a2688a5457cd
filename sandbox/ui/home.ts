import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SandboxView } from '../protocol.ts';
import { Blocks } from './blocks/block.ts';
import { ScopeProvider } from './blocks/scope.ts';
import type { Block } from './blocks/types.ts';
import { useViewScope } from './blocks/use-scope.ts';
import { useWorkspace } from './context.ts';
import { html } from './html.ts';
import { problemSentence } from './problems.ts';

/** The app's Home tab. Opening it tells the app, which then publishes what to show. */
export function HomeTab(): VNode {
  const { me, snapshot, perform, bootstrap } = useWorkspace();
  const [problem, setProblem] = useState<string>();
  const view = snapshot.homes[me.id];
  useEffect(() => {
    setProblem(undefined);
    void perform({ type: 'home_opened', as: me.id }).then((result) => {
      if (!result.ok) setProblem(problemSentence(result, bootstrap.app.name));
    });
  }, [me.id]);
  return html`<section class="home" aria-label=${`${bootstrap.app.name} Home`}>
    ${problem && html`<div class="message-problem" role="alert">${problem}</div>`}
    ${
      view
        ? html`<${HomeView} key=${view.id} view=${view} />`
        : !problem &&
          html`<div class="empty"><span class="spinner spinner-large"></span>
      <p>Waiting for ${bootstrap.app.name} to publish its Home…</p></div>`
    }
  </section>`;
}

function HomeView({ view }: { view: SandboxView }): VNode {
  const { bootstrap } = useWorkspace();
  const [problem, setProblem] = useState<string>();
  const { scope } = useViewScope(
    view,
    {},
    () => setProblem(undefined),
    (result) => setProblem(result.ok ? undefined : problemSentence(result, bootstrap.app.name)),
  );
  return html`<div class="home-view">
    ${problem && html`<div class="message-problem" role="alert">${problem}</div>`}
    <${ScopeProvider} value=${scope}><${Blocks} blocks=${view.blocks as unknown as Block[]} /><//>
  </div>`;
}
