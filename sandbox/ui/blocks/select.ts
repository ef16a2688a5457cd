import type { VNode } from 'preact';
import { userName, useWorkspace, type Workspace } from '../context.ts';
import { html } from '../html.ts';
import type { ChoiceGroup, ChoiceSource } from './choices.ts';
import { Combobox } from './combobox.ts';
import { accessibleName, type ControlProps } from './control.ts';
import { contentOf, valueObject } from './input-state.ts';
import { useScope } from './scope.ts';
import type { Element, Option } from './types.ts';

/** What Slack takes when an external select does not say. */
const DEFAULT_MIN_QUERY_LENGTH = 3;

/** Every select: static, external, users, channels, conversations, for one or several. */
export function Select(props: ControlProps): VNode {
  const { element } = props;
  const workspace = useWorkspace();
  const scope = useScope();
  const multiple = element.type.startsWith('multi_');
  const kind = element.type.replace(/^multi_/, '');
  const byId = kind !== 'static_select' && kind !== 'external_select';
  const named = byId ? directory(kind, workspace) : [];
  const source: ChoiceSource =
    kind === 'external_select'
      ? {
          type: 'asked',
          minQueryLength: element.min_query_length ?? DEFAULT_MIN_QUERY_LENGTH,
          ask: (query) => scope.suggest(props.blockId, element.action_id ?? '', query),
        }
      : { type: 'listed', groups: byId ? [{ options: named }] : listedGroups(element) };

  const onChoose = (options: Option[]) => {
    const contents = byId ? options.map((option) => option.value) : options;
    props.onValue(valueObject(element, multiple ? contents : (contents[0] ?? null)));
  };
  return html`<${Combobox} id=${props.id} name=${accessibleName(props)} invalid=${props.invalid}
    describedBy=${props.describedBy} placeholder=${element.placeholder?.text ?? 'Select an option'} source=${source}
    chosen=${chosenOptions(props, byId, named)} multiple=${multiple} maxItems=${element.max_selected_items}
    clearable=${props.clearable} onChoose=${onChoose} />`;
}

function listedGroups(element: Element): ChoiceGroup[] {
  if (!element.option_groups) return [{ options: element.options ?? [] }];
  return element.option_groups.map((group) => ({ label: group.label.text, options: group.options }));
}

function chosenOptions(props: ControlProps, byId: boolean, named: Option[]): Option[] {
  const content = contentOf(props.element, props.value);
  const contents = Array.isArray(content) ? content : content ? [content] : [];
  if (!byId) return contents as Option[];
  return (contents as string[]).map((id) => named.find((option) => option.value === id) ?? optionFor(id, id));
}

function directory(kind: string, workspace: Workspace): Option[] {
  const { snapshot, me } = workspace;
  const channels = snapshot.channels
    .filter((channel) => channel.kind === 'channel' && channel.memberIds.includes(me.id))
    .map((channel) => optionFor(channel.id, `#${channel.name}`));
  const people = snapshot.users
    .filter((user) => !user.isBot)
    .map((user) => optionFor(user.id, userName(workspace, user.id), `@${user.name}`));
  if (kind === 'users_select') return people;
  return kind === 'channels_select' ? channels : [...channels, ...people];
}

function optionFor(value: string, text: string, description?: string): Option {
  const option: Option = { value, text: { type: 'plain_text', text } };
  return description ? { ...option, description: { type: 'plain_text', text: description } } : option;
}
