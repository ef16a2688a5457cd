import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CustomerReply } from '../../protocol.ts';
import { html } from '../html.ts';

export type Answer = CustomerReply['answer'];
/** Gives an answer to a message, or to the newest one; resolves to what went wrong, if anything did. */
export type OnAnswer = (answer: Answer, messageId?: string) => Promise<string | undefined>;

/** Writes back to whoever wrote last. */
export function ReplyField({
  number,
  onAnswer,
  label = 'Reply',
}: {
  number: string;
  onAnswer: OnAnswer;
  label?: string;
}): VNode {
  const [problem, setProblem] = useState<string>();
  const send = async (event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = String(new FormData(form).get('text') ?? '').trim();
    if (text === '') return;
    form.reset();
    setProblem(await onAnswer({ type: 'text', text }));
  };
  return html`<form class="phone-reply" onSubmit=${(event: never) => void send(event)}>
    <input class="text-input" name="text" autocomplete="off" placeholder=${label}
      aria-label=${`${label} from ${number}`} />
    <button type="submit" aria-label=${`Send: ${label} from ${number}`}>↑</button>
    ${problem && html`<p class="phone-problem" role="alert">${problem}</p>`}
  </form>`;
}
