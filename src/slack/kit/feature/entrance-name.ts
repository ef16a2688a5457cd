import { isRecord, type Payload, payloadKind, textAt } from '../../connection/payload.ts';

/** The name of the entrance by which something was delivered, e.g. `action:send_pause`: its right and its handler go by it. */
export function entranceOf(body: object): string | undefined {
  const payload: Payload = { ...body };
  switch (payloadKind(payload)) {
    case 'command':
      return `command:${textAt(payload, 'command')}`;
    case 'block_actions':
      // What follows a colon says what the button does.
      return `action:${textAt(actionIn(payload), 'action_id')?.split(':', 1)[0]}`;
    case 'block_suggestion':
      return `options:${textAt(payload, 'action_id')}`;
    case 'view_submission':
      return `view:${textAt(payload, 'view', 'callback_id')}`;
    case 'shortcut':
    case 'message_action':
      return `shortcut:${textAt(payload, 'callback_id')}`;
    case 'event': {
      const type = textAt(payload, 'event', 'type');
      return type === 'function_executed'
        ? `function:${textAt(payload, 'event', 'function', 'callback_id')}`
        : `event:${type}`;
    }
    default:
      return undefined;
  }
}

/** The name of a declared entrance: one that ends with a colon stands for all that begin so. */
export function entranceName(kind: string, id: string): string {
  return `${kind}:${id.replace(/:$/, '')}`;
}

/** What was clicked. */
export function actionIn({ actions }: Payload): Payload {
  const [action] = Array.isArray(actions) ? actions : [];
  return isRecord(action) ? action : {};
}
