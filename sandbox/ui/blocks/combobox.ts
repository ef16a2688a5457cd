import type { VNode } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import { useFloating, useLeaving } from '../floating.ts';
import { html } from '../html.ts';
import { Icon } from '../icons.ts';
import { plainWords } from '../text/emoji.ts';
import { TextObject } from '../text/view.ts';
import { type ChoiceSource, useChoices } from './choices.ts';
import type { Option } from './types.ts';

export interface ComboboxProps {
  id: string;
  name: string | undefined;
  placeholder: string;
  invalid: boolean;
  describedBy: string | undefined;
  source: ChoiceSource;
  /** One option at most, unless `multiple`. */
  chosen: Option[];
  multiple: boolean;
  maxItems: number | undefined;
  clearable: boolean;
  onChoose: (options: Option[]) => void;
}

/**
 * A select with type-ahead, for one option or several. The list opens by click, arrow keys or typing; Escape
 * closes the list only, Backspace in an empty field takes the last of several back.
 */
export function Combobox(props: ComboboxProps): VNode {
  const { chosen, multiple } = props;
  const [query, setQuery] = useState<string | undefined>(undefined);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const place = useFloating(root, open, 'stretch', 260);
  const choices = useChoices(props.source, open, query ?? '');
  const options = choices.groups.flatMap((group) => group.options);
  const full = multiple && props.maxItems !== undefined && chosen.length >= props.maxItems;

  const close = useCallback(() => {
    setOpen(false);
    setQuery(undefined);
    setActive(0);
  }, []);
  useLeaving(root, open, close);
  const isChosen = (option: Option) => chosen.some((one) => one.value === option.value);
  const choose = (option: Option) => {
    if (!multiple) {
      close();
      if (!isChosen(option)) props.onChoose([option]);
      return;
    }
    setQuery(undefined);
    if (isChosen(option)) props.onChoose(chosen.filter((one) => one.value !== option.value));
    else if (!full) props.onChoose([...chosen, option]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const handled = comboboxKey(event.key, { open, active, count: options.length, query });
    if (!handled) return;
    if (handled !== 'removeLast') event.preventDefault();
    if (open || handled !== 'close') event.stopPropagation();
    if (handled === 'open') setOpen(true);
    else if (handled === 'close') close();
    else if (handled === 'removeLast') {
      if (multiple && chosen.length > 0) props.onChoose(chosen.slice(0, -1));
    } else if (handled === 'choose') {
      const option = options[active];
      if (option) choose(option);
    } else setActive(handled.active);
  };
  const shown = query ?? (multiple ? '' : plainWords(chosen[0]?.text.text ?? '', chosen[0]?.text.emoji));

  return html`<div class=${`combobox ${props.invalid ? 'is-invalid' : ''}`} ref=${root}
    onClick=${() => input.current?.focus()}>
    ${
      multiple &&
      chosen.map(
        (option) => html`<span class="chip" key=${option.value}>
      <${TextObject} text=${option.text} inline />
      <button type="button" class="chip-remove" aria-label=${`Remove ${option.text.text}`}
        onClick=${() => choose(option)}><${Icon} name="close" size=${12} /></button>
    </span>`,
      )
    }
    <input ref=${input} id=${props.id} class="combobox-input" type="text" role="combobox" autocomplete="off"
      spellcheck=${false}
      aria-expanded=${open} aria-controls=${`${props.id}-list`} aria-autocomplete="list" aria-label=${props.name}
      aria-activedescendant=${open && options[active] ? `${props.id}-option-${active}` : undefined}
      aria-invalid=${props.invalid || undefined} aria-describedby=${props.describedBy}
      placeholder=${multiple && chosen.length > 0 ? '' : props.placeholder} value=${shown}
      onInput=${(event: Event & { currentTarget: HTMLInputElement }) => {
        setQuery(event.currentTarget.value);
        setActive(0);
        setOpen(true);
      }}
      onFocus=${(event: FocusEvent & { currentTarget: HTMLInputElement }) => event.currentTarget.select()}
      onClick=${() => setOpen(true)} onKeyDown=${onKeyDown} />
    ${
      props.clearable &&
      !multiple &&
      chosen.length > 0 &&
      html`<button type="button" class="combobox-clear"
      aria-label="Clear the choice" onClick=${() => props.onChoose([])}><${Icon} name="close"
        size=${14} /></button>`
    }
    <span class="combobox-arrow"><${Icon} name="chevronDown" size=${16} /></span>
    ${
      open &&
      html`<div class="floating listbox" role="listbox" id=${`${props.id}-list`} style=${place}
      aria-label=${props.name ?? props.placeholder} aria-multiselectable=${multiple || undefined}>
      ${choices.note && html`<div class="listbox-note" role="status">${choices.note}</div>`}
      ${
        full &&
        html`<div class="listbox-note"
        role="status">No more than ${props.maxItems} can be chosen.</div>`
      }
      ${drawGroups(choices.groups, props.id, active, isChosen, choose, setActive)}
    </div>`
    }
  </div>`;
}

type KeyEffect = 'open' | 'close' | 'choose' | 'removeLast' | { active: number };

function comboboxKey(
  key: string,
  state: { open: boolean; active: number; count: number; query: string | undefined },
): KeyEffect | undefined {
  const { open, active, count } = state;
  if (key === 'Backspace') return state.query ? undefined : 'removeLast';
  if (!open) return ['ArrowDown', 'ArrowUp', 'Enter'].includes(key) ? 'open' : undefined;
  switch (key) {
    case 'ArrowDown':
      return { active: count === 0 ? 0 : (active + 1) % count };
    case 'ArrowUp':
      return { active: count === 0 ? 0 : (active - 1 + count) % count };
    case 'Enter':
      return 'choose';
    case 'Escape':
      return 'close';
    default:
      return undefined;
  }
}

function drawGroups(
  groups: { label?: string; options: Option[] }[],
  id: string,
  active: number,
  isChosen: (option: Option) => boolean,
  choose: (option: Option) => void,
  setActive: (index: number) => void,
): VNode[] {
  let index = -1;
  return groups.flatMap((group) => {
    const heading = group.label ? [html`<div class="listbox-group">${plainWords(group.label)}</div>`] : [];
    const options = group.options.map((option) => {
      index += 1;
      const here = index;
      return html`<div key=${option.value} id=${`${id}-option-${here}`} role="option"
        aria-selected=${isChosen(option)}
        class=${`option ${here === active ? 'is-active' : ''}`}
        ref=${(node: HTMLElement | null) => here === active && node?.scrollIntoView({ block: 'nearest' })}
        onPointerMove=${() => here !== active && setActive(here)}
        onPointerDown=${(event: Event) => event.preventDefault()}
        onClick=${(event: Event) => {
          event.stopPropagation();
          choose(option);
        }}>
        <span class="option-words"><span><${TextObject} text=${option.text} inline /></span>
          ${
            option.description &&
            html`<span class="option-description"><${TextObject}
            text=${option.description} inline /></span>`
          }</span>
        ${isChosen(option) && html`<${Icon} name="check" size=${16} />`}
      </div>`;
    });
    return [...heading, ...options];
  });
}
