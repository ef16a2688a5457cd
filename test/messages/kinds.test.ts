import { describe, expect, it } from 'vitest';
import type { FormContext } from '../../src/messages/form/form.ts';
import { KINDS, MESSAGE_KINDS, type MessageKind, whyUnusable } from '../../src/messages/kinds.ts';
import { parseSubmission } from '../../src/messages/parse-submission.ts';
import type { Template } from '../../src/messages/templates/template.ts';
import { leavesOf } from '../../src/slack/kit/forms/form-blocks.ts';
import { CONTEXT, RCS_TEMPLATES, TEMPLATES } from './samples.ts';

const FORMS: readonly [kind: MessageKind, template: Template | undefined][] = [
  ...(['chatapp', 'rcs', 'sms', 'flash', 'interactive'] as const).map((kind): [MessageKind, undefined] => [
    kind,
    undefined,
  ]),
  ...Object.values(TEMPLATES).map((template): [MessageKind, Template] => ['chatapp', template]),
  ...Object.values(RCS_TEMPLATES).map((template): [MessageKind, Template] => ['rcs', template]),
];

function contextOf(template: Template | undefined): FormContext {
  return template ? { ...CONTEXT, template } : CONTEXT;
}

/* Which fields there are, and their words, is in forms.txt. */
describe.each(FORMS)('the form: %s, %o', (kind, template) => {
  const form = KINDS[kind].form(contextOf(template));
  const leaves = leavesOf(form);

  it('keeps to what Slack can show of a field', () => {
    for (const { meta } of leaves) {
      expect(meta.label.length).toBeGreaterThan(0);
      expect(meta.label.length).toBeLessThanOrEqual(2000);
      expect(meta.hint?.length ?? 0).toBeLessThanOrEqual(2000);
      expect(meta.placeholder?.length ?? 0).toBeLessThanOrEqual(150);
      expect(meta.maxLength ?? 3000).toBeLessThanOrEqual(3000);
    }
  });

  it('reports every missing field at its own path, whatever stands for nothing', () => {
    const missing = leaves.filter((leaf) => leaf.required).map((leaf) => leaf.path);
    const empty = [{ to: null, params: [], header: {} }, { params: [null, ''] }];
    const nothings = [{}, undefined, null, '', [], ...empty];
    for (const nothing of nothings) {
      const parsed = parseSubmission(kind, contextOf(template), nothing);
      expect(parsed.ok ? [] : parsed.error.map(({ path }) => path)).toEqual(missing);
    }
  });

  it('answers junk in its own words, never in those of a library', () => {
    const junk = [7, true, 'x', [1], { a: { b: 1 } }, -1n, Symbol('x'), () => 1, new Date(0), Number.NaN];
    for (const value of junk) {
      const everywhere = Object.fromEntries(leaves.map(({ path }) => [path.split('.')[0], value]));
      const inLeaves = {
        ...everywhere,
        params: [value, value, value],
        header: { link: value, filename: value },
        content: [{ fileUrl: value }, value, { fileUrl: value }],
      };
      for (const submitted of [value, everywhere, inLeaves, { unknown: value }]) {
        const parsed = parseSubmission(kind, contextOf(template), submitted);
        expect(parsed.ok).toBe(false);
        if (parsed.ok) continue;
        for (const { message } of parsed.error) {
          expect(message).toMatch(/^[A-Z][^\n]*\.$/);
          expect(message).not.toMatch(/invalid|expected|received|unrecognized|too (big|small)/i);
        }
      }
    }
  });
});

it('fills in no campaign name that nobody can see', () => {
  const leaves = leavesOf(KINDS.sms.form({ ...CONTEXT, defaultCampaignName: ' ' }));
  expect(leaves.find(({ path }) => path === 'campaignName')?.meta).not.toHaveProperty('initial');
});

describe('kinds', () => {
  it('says of each kind whether its senders are configured', () => {
    const none = { chatapp: [], rcs: [], sms: [] };
    expect(MESSAGE_KINDS.flatMap((kind) => whyUnusable(kind, CONTEXT.senders) ?? [])).toEqual([]);
    const nouns = [
      ...['a chat-app message', 'an RCS message', 'an SMS', 'a flash SMS'],
      ...['an interactive message', 'an address message'],
    ];
    expect(MESSAGE_KINDS.map((kind) => whyUnusable(kind, none))).toEqual(
      nouns.map((noun) => `No sender for ${noun} is configured. Ask whoever runs Herald to add one.`),
    );
  });

  it('refuses a kind without senders at the sender, and keeps titles within Slack’s 24 characters', () => {
    const context = { ...CONTEXT, senders: { chatapp: [], rcs: [], sms: [] } };
    expect(parseSubmission('sms', context, { sender: 'ACMEIN', to: '+6591234567', text: 'Hi' })).toEqual({
      ok: false,
      error: [{ path: 'sender', message: 'Choose the sender of the message.' }],
    });
    for (const kind of MESSAGE_KINDS) expect(KINDS[kind].title.length).toBeLessThanOrEqual(24);
  });
});
