import type { InputBlock, InputBlockElement, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { LIMITS } from '../../connection/limits.ts';
import { plainText } from '../forms/input-block.ts';

interface Modal {
  readonly title: string;
  readonly blocks: readonly KnownBlock[];
  /** Of a form: the name its submission comes under, its button, and what it carries. */
  readonly callbackId?: string;
  readonly submit?: string;
  readonly metadata?: string;
}

/** A window. One that has a form is closed by Cancel, any other by Close, unless `close` says otherwise. */
export function modal({ title, blocks, callbackId, submit, metadata }: Modal, close?: string): ModalView {
  return {
    type: 'modal',
    ...(callbackId === undefined ? {} : { callback_id: callbackId }),
    title: plainText(title, LIMITS.modalTitle),
    ...(submit === undefined ? {} : { submit: plainText(submit, LIMITS.modalSubmit) }),
    close: plainText(close ?? (submit === undefined ? 'Close' : 'Cancel'), LIMITS.modalClose),
    ...(metadata === undefined ? {} : { private_metadata: metadata }),
    blocks: [...blocks],
  };
}

/** A section of plain text; nothing in it can mention anybody. */
export function saying(text: string, blockId?: string): KnownBlock {
  return {
    type: 'section',
    ...(blockId === undefined ? {} : { block_id: blockId }),
    text: plainText(text, LIMITS.sectionText),
  };
}

/** A window that only says something. */
export function sayingView(title: string, sentence: string): ModalView {
  return modal({ title, blocks: [saying(sentence)] });
}

/** An input outside of a kind's form; its block is named like its field. */
export function input(
  field: string,
  label: string,
  element: InputBlockElement,
  more: { readonly hint?: string; readonly optional?: true; readonly dispatch_action?: true } = {},
): InputBlock {
  const { hint, ...rest } = more;
  return {
    type: 'input',
    block_id: field,
    label: plainText(label, LIMITS.inputLabel),
    ...(hint === undefined ? {} : { hint: plainText(hint, LIMITS.inputHint) }),
    ...rest,
    element,
  };
}

export function option(text: string, value: string): PlainTextOption {
  return { text: plainText(text, LIMITS.optionText), value };
}
