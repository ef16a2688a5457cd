import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { html } from '../html.ts';
import { accessibleName, type ControlProps } from './control.ts';
import { contentOf, valueObject } from './input-state.ts';
import type { RichElement } from './types.ts';

/** How long typing has to pause before on_character_entered reaches the app. */
const TYPING_PAUSE_MS = 250;

const INPUT_TYPES: Readonly<Record<string, { type: string; inputmode: string }>> = {
  plain_text_input: { type: 'text', inputmode: 'text' },
  email_text_input: { type: 'text', inputmode: 'email' },
  url_text_input: { type: 'text', inputmode: 'url' },
  number_input: { type: 'text', inputmode: 'decimal' },
};

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** One-line and multi-line texts, e-mail and web addresses, numbers. The app judges what is entered. */
export function TextInput(props: ControlProps): VNode {
  const { element } = props;
  const text = contentOf(element, props.value);
  const shown = typeof text === 'string' ? text : '';
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const field = useRef<TextField>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  useGrowing(field, shown, element.multiline === true);

  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  const onInput = (event: Event & { currentTarget: TextField }) => {
    const value = valueObject(element, event.currentTarget.value || null);
    props.onValue(value, 'kept');
    clearTimeout(timer.current);
    if (triggers.includes('on_character_entered'))
      timer.current = setTimeout(() => props.onValue(value, 'on_character_entered'), TYPING_PAUSE_MS);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.isComposing || element.multiline) return;
    if (!props.dispatches || !triggers.includes('on_enter_pressed')) return;
    event.preventDefault();
    clearTimeout(timer.current);
    props.onValue(valueObject(element, shown || null), 'on_enter_pressed');
  };
  const shared = {
    ref: field,
    id: props.id,
    class: `text-input ${props.invalid ? 'is-invalid' : ''}`,
    value: shown,
    placeholder: element.placeholder?.text,
    'aria-label': accessibleName(props),
    'aria-invalid': props.invalid || undefined,
    'aria-describedby': props.describedBy,
    autocomplete: 'off',
    onInput,
    onKeyDown,
  };
  const input = element.multiline
    ? html`<textarea ...${shared} rows="3"></textarea>`
    : html`<input ...${shared} ...${INPUT_TYPES[element.type] ?? {}} />`;
  return html`<div class="text-input-frame">${input}<${Counter} element=${element}
    length=${shown.length} /></div>`;
}

/** A limit up to this is worth counting from the first character on: an SMS, a title. */
const SHORT_LIMIT = 500;
/** A longer one is counted once this part of it is used. */
const NEARLY_FULL = 0.8;

/** How much of the limit is used, in red once it is broken. */
function Counter({ element, length }: { element: ControlProps['element']; length: number }): VNode | null {
  const { min_length: min = 0, max_length: max } = element;
  const tooShort = length > 0 && length < min;
  if (tooShort) return html`<span class="counter is-over">${length} of at least ${min}</span>`;
  const counts = max !== undefined && length > 0 && (max <= SHORT_LIMIT || length > max * NEARLY_FULL);
  if (!counts) return null;
  const className = length > max ? 'counter is-over' : 'counter';
  return html`<span class=${className}
    aria-live=${length > max ? 'polite' : 'off'}>${length} / ${max}</span>`;
}

/** A text area as tall as its text, up to what the style sheet allows. */
function useGrowing(field: { current: TextField | null }, text: string, multiline: boolean): void {
  useLayoutEffect(() => {
    const area = field.current;
    if (!multiline || !area) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight + 2}px`;
  }, [text, multiline]);
}

/** `rich_text_input`, written without formatting: each line becomes a section. */
export function RichTextInput(props: ControlProps): VNode {
  const { element } = props;
  const rich = contentOf(element, props.value) as { elements?: RichElement[] } | null | undefined;
  const lines = rich?.elements?.map((section) =>
    (section.elements ?? []).map((one) => one.text ?? '').join(''),
  );
  const onInput = (event: Event & { currentTarget: HTMLTextAreaElement }) => {
    const text = event.currentTarget.value;
    const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
    props.onValue(valueObject(element, text ? { type: 'rich_text', elements: [section] } : null), 'kept');
  };
  return html`<textarea id=${props.id} class=${`text-input ${props.invalid ? 'is-invalid' : ''}`} rows="4"
    value=${lines?.join('\n') ?? ''} placeholder=${element.placeholder?.text} aria-label=${accessibleName(props)}
    aria-invalid=${props.invalid || undefined} aria-describedby=${props.describedBy} onInput=${onInput}></textarea>`;
}
