import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SandboxView } from '../protocol.ts';
import { HeraldSign } from './avatar.ts';
import { Blocks } from './blocks/block.ts';
import { ScopeProvider } from './blocks/scope.ts';
import type { Block } from './blocks/types.ts';
import { useViewScope } from './blocks/use-scope.ts';
import { useWorkspace } from './context.ts';
import { html } from './html.ts';
import { problemSentence } from './problems.ts';

/** How long to wait for a first Home before saying that there is none. */
const PATIENCE_MS = 3000;

/** The app's Home tab. Opening it tells the app, which then publishes what to show. */
export function HomeTab({ view }: { view: SandboxView | undefined }): VNode {
  const { me, perform, bootstrap } = useWorkspace();
  const [problem, setProblem] = useState<string>();
  const [waiting, setWaiting] = useState(true);
  const { name } = bootstrap.app;
  useEffect(() => {
    void perform({ type: 'home_opened', as: me.id }).then((result) => {
      if (!result.ok) setProblem(problemSentence(result, name));
    });
    const timer = setTimeout(() => setWaiting(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [me.id]);
  return html`<section class="home" aria-label=${`${name} Home`}>
    ${problem && html`<div class="message-problem" role="alert">${problem}</div>`}
    ${view && html`<${HomeView} key=${view.id} view=${view} />`}
    ${!view && !problem && html`<${NoHome} waiting=${waiting} />`}
  </section>`;
}

function NoHome({ waiting }: { waiting: boolean }): VNode {
  const { bootstrap } = useWorkspace();
  const { name } = bootstrap.app;
  if (waiting)
    return html`<div class="empty" role="status"><span class="spinner spinner-large"></span><p>Opening ${name}’s Home…</p></div>`;
  return html`<div class="empty" role="status"><span class="empty-sign"><${HeraldSign} /></span>
    <h2>${name} has no Home for you yet</h2>
    <p>It appears here as soon as ${name} publishes one. Its commands work in every channel.</p></div>`;
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
