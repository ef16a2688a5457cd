import type { ModalView } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { validateView } from '../../../../sandbox/slack/block-kit/index.ts';
import type { MessageKind } from '../../../../src/messages/kinds.ts';
import { composeView } from '../../../../src/slack/compose/form/form-view.ts';
import { BROKEN as ADDRESS_BROKEN, TAKEN as ADDRESS_TAKEN } from '../../../messages/address-rules.ts';
import { BROKEN, LIMITED, of, TAKEN, tooLong } from '../../../messages/interactive-rules.ts';
import { changed, type Values } from '../../../messages/interactive-samples.ts';
import { createSetting, inputsOf, openView, submitForm } from '../setting.ts';

/* Each rule of the tables once more, as people meet it: the form is drawn, filled in, submitted, and answered. */

const RULES = [
  ...LIMITED.map(([form, path, label, most]) => {
    const long = changed(form(), path, of(most + 1));
    return ['interactive', `${label}, one too long`, long, path, tooLong(label, most)] as const;
  }),
  ...BROKEN.map((rule) => ['interactive', ...rule] as const),
  ...ADDRESS_BROKEN.map((rule) => ['address', ...rule] as const),
];

const KEPT = [
  ...LIMITED.map(([form, path, label, most]) => {
    return ['interactive', `${label} of ${most}`, changed(form(), path, of(most))] as const;
  }),
  ...TAKEN.map((rule) => ['interactive', ...rule] as const),
  ...ADDRESS_TAKEN.map((rule) => ['address', ...rule] as const),
];

/** Every value of a form by its path, as inputs hold them. */
function leaves(form: unknown, path = ''): [string, string | null][] {
  if (form === null || typeof form === 'string') return [[path, form]];
  return Object.entries(form as object).flatMap(([key, value]) =>
    leaves(value, path === '' ? key : `${path}.${key}`),
  );
}

/**
 * The drawn form as it comes back, with whatever was typed into it; also what has no input, because whoever makes a
 * payload by hand can send it.
 */
function submitted(view: ModalView, form: Values): ReturnType<typeof openView> {
  const typed = leaves(form);
  const open = openView(view, Object.fromEntries(typed));
  const drawn = new Set(Object.keys(open.state.values).map(pathOf));
  const undrawn = typed.filter(([path, value]) => value !== null && !drawn.has(path));
  const values = Object.fromEntries(
    undrawn.map(([path, value]) => [`${path}:r1`, { [path]: { type: 'plain_text_input', value } }]),
  );
  return { ...open, state: { values: { ...open.state.values, ...values } } as typeof open.state };
}

const pathOf = (blockId: string) => blockId.split(':', 1)[0] ?? '';

async function submit(kind: MessageKind, form: Values) {
  const setting = createSetting();
  const view = composeView({ kind, values: form, channelId: 'C0TEAM' }, setting.compose);
  const answers = await submitForm(setting, submitted(view, form));
  return { view, answers, requests: setting.sends.requests };
}

/** The input itself; for what has none (a part too many) the first one below it, or else beside it. */
function inputAt(view: ModalView, path: string): string | undefined {
  const ids = inputsOf(view).map(({ block_id }) => block_id);
  const parent = path.slice(0, path.lastIndexOf('.'));
  return (
    ids.find((id) => pathOf(id) === path) ??
    ids.find((id) => pathOf(id).startsWith(`${path}.`)) ??
    ids.find((id) => pathOf(id).startsWith(`${parent}.`))
  );
}

describe('a submitted form that breaks just one rule stays open, with the sentence under the right input', () => {
  it.each(RULES)('%s: %s', async (kind, _what, form, path, sentence) => {
    const { view, answers, requests } = await submit(kind, form);
    expect(validateView(view)).toEqual([]);
    expect(answers).toEqual([
      { response_action: 'errors', errors: { [inputAt(view, path) ?? 'nowhere']: sentence } },
    ]);
    expect(requests).toEqual([]);
  });
});

describe('a submitted form at its limits becomes one send', () => {
  it.each(KEPT)('%s: %s', async (kind, _what, form) => {
    const { view, answers, requests } = await submit(kind, form);
    expect(validateView(view)).toEqual([]);
    expect(answers).toEqual([{ response_action: 'clear' }]);
    expect(requests.map(({ message }) => message.kind)).toEqual([kind]);
  });
});
