import type { VNode } from 'preact';
import { html } from '../html.ts';
import { TextObject } from '../text/view.ts';
import { accessibleName, type ControlProps } from './control.ts';
import { contentOf, valueObject } from './input-state.ts';
import type { Option } from './types.ts';

/** Radio buttons and check boxes: every option in sight. */
export function ChoiceList(props: ControlProps): VNode {
  const { element } = props;
  const several = element.type === 'checkboxes';
  const content = contentOf(element, props.value);
  const chosen = (Array.isArray(content) ? content : content ? [content] : []) as Option[];
  const isChosen = (option: Option) => chosen.some((one) => one.value === option.value);
  const choose = (option: Option) => {
    if (!several) props.onValue(valueObject(element, option));
    else {
      const others = chosen.filter((one) => one.value !== option.value);
      props.onValue(valueObject(element, isChosen(option) ? others : [...chosen, option]));
    }
  };
  return html`<div class="choice-list" id=${props.id} role=${several ? 'group' : 'radiogroup'} tabindex="-1"
    aria-label=${accessibleName(props)} aria-labelledby=${props.labelled ? `${props.id}-label` : undefined}
    aria-describedby=${props.describedBy} aria-invalid=${props.invalid || undefined}>
    ${element.options?.map(
      (option) => html`<label class="choice" key=${option.value}>
      <input type=${several ? 'checkbox' : 'radio'} name=${props.id} checked=${isChosen(option)}
        onChange=${() => choose(option)} />
      <span class="choice-words"><span class="choice-text"><${TextObject} text=${option.text} inline /></span>
        ${
          option.description &&
          html`<span class="choice-description"><${TextObject}
          text=${option.description} inline /></span>`
        }</span>
    </label>`,
    )}
  </div>`;
}
