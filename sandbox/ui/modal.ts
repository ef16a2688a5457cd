import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ActResult, SandboxView } from '../protocol.ts';
import { Blocks } from './blocks/block.ts';
import { ScopeProvider } from './blocks/scope.ts';
import type { Block } from './blocks/types.ts';
import { useViewScope } from './blocks/use-scope.ts';
import { useWorkspace } from './context.ts';
import { focusableIn, useFocusTrap, useReturnFocus } from './focus-trap.ts';
import { html } from './html.ts';
import { Icon } from './icons.ts';
import { problemSentence } from './problems.ts';
import { PlainText } from './text/view.ts';

/** The top view of the person's stack. The views beneath keep waiting with the workspace. */
export function Modal({ stack }: { stack: SandboxView[] }): VNode | null {
  const view = stack.at(-1);
  useReturnFocus(view !== undefined);
  if (!view) return null;
  return html`<${ModalView} key=${view.id} view=${view} depth=${stack.length} />`;
}

function ModalView({ view, depth }: { view: SandboxView; depth: number }): VNode {
  const { me, perform } = useWorkspace();
  const { errors, problem, clearError, reportAction, reportSubmission } = useReport(view);
  const [submitting, setSubmitting] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const { scope, current } = useViewScope(view, errors, clearError, reportAction);
  useFocusTrap(root);
  useInitialFocus(root, view);
  useErrorFocus(root, errors);

  const close = async (clearAll: boolean) => {
    reportAction(await perform({ type: 'view_closed', as: me.id, viewId: view.id, clearAll }));
  };
  const submit = async () => {
    if (submitting || !view.submit) return;
    setSubmitting(true);
    reportSubmission(
      await perform({ type: 'view_submission', as: me.id, viewId: view.id, state: current() }),
    );
    setSubmitting(false);
  };
  // Before it is painted: a key that is pressed as soon as the form is seen is heard.
  useLayoutEffect(() => {
    // Wherever the focus is: what had it may be gone with the last update. A menu that is open takes it first.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      void close(false);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
  const titleId = `${view.id}-title`;
  const busy = submitting || scope.pending !== undefined;

  return html`<div class="backdrop">
    <div class="dialog modal" role="dialog" aria-modal="true" aria-labelledby=${titleId} aria-busy=${busy}
      tabindex="-1" ref=${root} data-callback-id=${view.callback_id}><form novalidate
      onSubmit=${(event: Event) => {
        event.preventDefault();
        void submit();
      }}>
      <header class="modal-header">
        ${
          depth > 1 &&
          html`<button type="button" class="icon-button" aria-label="Back" onClick=${() => void close(false)}>
          <${Icon} name="chevronLeft" size=${20} /></button>`
        }
        <h2 id=${titleId}><${PlainText} text=${view.title} /></h2>
        <button type="button" class="icon-button" aria-label="Close the window"
          onClick=${() => void close(true)}>
          <${Icon} name="close" size=${20} /></button>
        <span class=${`progress ${busy ? 'is-busy' : ''}`} aria-hidden="true"></span>
      </header>
      <div class="modal-body"><${ScopeProvider} value=${scope}>
        <${Blocks} blocks=${view.blocks as unknown as Block[]} />
      <//></div>
      ${problem && html`<div class="modal-problem" role="alert">${problem}</div>`}
      <footer class="modal-footer">
        <button type="button" class="button"
          onClick=${() => void close(false)}>${view.close?.text ?? (view.submit ? 'Cancel' : 'Close')}</button>
        ${
          view.submit &&
          html`<button type="submit" class="button button-primary" disabled=${submitting}>
          ${
            submitting &&
            html`<span class="spinner"
            aria-hidden="true"></span>`
          }<${PlainText} text=${view.submit} />
        </button>`
        }
      </footer>
    </form></div>
  </div>`;
}

/** The sentences under the inputs and the one above the buttons, as the last answer left them. */
function useReport(view: SandboxView): {
  errors: Readonly<Record<string, string>>;
  problem: string | undefined;
  clearError: (blockId: string) => void;
  /** An action leaves the sentences under the inputs as they are. */
  reportAction: (result: ActResult) => void;
  reportSubmission: (result: ActResult) => void;
} {
  const { bootstrap } = useWorkspace();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string>();
  const clearError = (blockId: string) => {
    setErrors(({ [blockId]: _gone, ...rest }) => rest);
  };
  const reportAction = (result: ActResult) => {
    setProblem(result.ok ? undefined : problemSentence(result, bootstrap.app.name));
  };
  const reportSubmission = (result: ActResult) => {
    const fields = !result.ok && 'errors' in result ? result.errors : {};
    setErrors(fields);
    const shown = new Set(view.blocks.map((block) => block.block_id));
    const homeless = Object.entries(fields).filter(([blockId]) => !shown.has(blockId));
    if (!result.ok && 'errors' in result) setProblem(homeless.map(([, text]) => text).join(' ') || undefined);
    else reportAction(result);
  };
  return { errors, problem, clearError, reportAction, reportSubmission };
}

const INPUTS = 'input:not([type=file]), textarea, [role=combobox]';

/**
 * The input that the app names takes the focus once it is there; else the first one, when the view opens and when an update
 * brings the first inputs.
 */
function useInitialFocus(root: RefObject<HTMLElement | null>, { hash, blocks }: SandboxView): void {
  const named = (blocks as unknown as Block[]).find(({ element }) => element?.focus_on_load)?.block_id;
  useLayoutEffect(() => {
    if (named === undefined) return;
    const block = root.current?.querySelector(`[data-block-id="${CSS.escape(named)}"]`);
    block?.querySelector<HTMLElement>(INPUTS)?.focus();
  }, [named]);
  useLayoutEffect(() => {
    const inside = root.current?.contains(document.activeElement);
    if (inside && document.activeElement !== root.current) return;
    const body = root.current?.querySelector<HTMLElement>('.modal-body');
    const first = body?.querySelector<HTMLElement>(INPUTS) ?? focusableIn(body ?? null)[0] ?? root.current;
    first?.focus({ preventScroll: true });
  }, [hash]);
}

function useErrorFocus(root: RefObject<HTMLElement | null>, errors: Readonly<Record<string, string>>): void {
  const count = useRef(0);
  useEffect(() => {
    const now = Object.keys(errors).length;
    const before = count.current;
    count.current = now;
    if (now === 0 || now < before) return;
    const block = root.current?.querySelector<HTMLElement>('.has-error');
    block?.querySelector<HTMLElement>('input, textarea, [tabindex]')?.focus({ preventScroll: true });
    block?.scrollIntoView({ block: 'nearest' });
  }, [errors]);
}
