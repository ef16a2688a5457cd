import type { VNode } from 'preact';
import { useWorkspace } from '../context.ts';
import { html } from '../html.ts';
import { epochSecondsAt, localDateTime } from '../time.ts';
import { accessibleName, type ControlProps } from './control.ts';
import { contentOf, valueObject } from './input-state.ts';

const INPUT_TYPES: Readonly<Record<string, string>> = {
  datepicker: 'date',
  timepicker: 'time',
  datetimepicker: 'datetime-local',
};

/** Dates and times by the browser's own pickers; a moment is read on the clock of the person's time zone. */
export function DateTimeInput(props: ControlProps): VNode {
  const { me } = useWorkspace();
  const { element } = props;
  const content = contentOf(element, props.value);
  const shown =
    typeof content === 'number' ? localDateTime(content, me.tz) : typeof content === 'string' ? content : '';
  const onChange = (event: Event & { currentTarget: HTMLInputElement }) => {
    const entered = event.currentTarget.value;
    const isMoment = element.type === 'datetimepicker';
    props.onValue(valueObject(element, isMoment ? epochSecondsAt(entered, me.tz) : entered || null));
  };
  return html`<span class="date-time">
    <input id=${props.id} class=${`text-input ${props.invalid ? 'is-invalid' : ''}`}
      type=${INPUT_TYPES[element.type]}
      value=${shown} aria-label=${accessibleName(props)} aria-invalid=${props.invalid || undefined}
      aria-describedby=${props.describedBy} title=${element.placeholder?.text} onChange=${onChange} />
    ${
      element.type !== 'datepicker' &&
      html`<span
      class="date-time-zone">${me.tz.replaceAll('_', ' ')}</span>`
    }
  </span>`;
}
