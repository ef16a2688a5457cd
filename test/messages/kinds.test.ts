import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FieldMeta, FormContext } from '../../src/messages/form/form.ts';
import { KINDS, MESSAGE_KINDS, type MessageKind, whyUnusable } from '../../src/messages/kinds.ts';
import { parseSubmission } from '../../src/messages/parse-submission.ts';
import type { Template } from '../../src/messages/templates/template.ts';
import { CONTEXT, RCS_TEMPLATES, TEMPLATES } from './samples.ts';

interface Leaf {
  readonly path: string;
  readonly meta: FieldMeta;
  readonly required: boolean;
}

/** Walks a form as `FormSchema` says that it can be walked. */
function leavesOf(schema: z.core.$ZodType, path: readonly (string | number)[] = []): Leaf[] {
  const meta = (schema as z.ZodType).meta() as FieldMeta | undefined;
  if (meta?.label !== undefined) {
    return [{ path: path.join('.'), meta, required: !(schema as z.ZodType).safeParse(undefined).success }];
  }
  if (schema instanceof z.ZodPipe) {
    return leavesOf(schema.in instanceof z.ZodTransform ? schema.out : schema.in, path);
  }
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
  }
  if (schema instanceof z.ZodTuple) {
    return schema.def.items.flatMap((item, index) => leavesOf(item, [...path, index]));
  }
  throw new Error(`Nothing to ask for at ${path.join('.')}.`);
}

const FORMS: readonly [name: string, kind: MessageKind, template: Template | undefined, paths: string][] = [
  ['no chat-app template', 'chatapp', undefined, 'template! to! from! campaignName'],
  ['otp', 'chatapp', TEMPLATES.otp, 'template otp! language to! from! campaignName'],
  ['text', 'chatapp', TEMPLATES.text, 'template params.0! params.1! params.2 to! from! campaignName'],
  [
    'document',
    'chatapp',
    TEMPLATES.document,
    'template header.link! header.filename! params.0! to! from! campaignName',
  ],
  ['image', 'chatapp', TEMPLATES.image, 'template header.link! to! from! campaignName'],
  ['video', 'chatapp', TEMPLATES.video, 'template header.link! params.0! to! from! campaignName'],
  ['no RCS template', 'rcs', undefined, 'template! to! botId! type campaignName'],
  ['plain', 'rcs', RCS_TEMPLATES.plain, 'template to! botId! type campaignName'],
  ['rich', 'rcs', RCS_TEMPLATES.rich, 'template to! botId! type campaignName'],
  ['variables', 'rcs', RCS_TEMPLATES.variables, 'template params.0! params.1! to! botId! type campaignName'],
  ['carousel-fixed', 'rcs', RCS_TEMPLATES['carousel-fixed'], 'template to! botId! type campaignName'],
  [
    'carousel-images',
    'rcs',
    RCS_TEMPLATES['carousel-images'],
    'template content.0.fileUrl! content.1.fileUrl! content.2.fileUrl! to! botId! type campaignName',
  ],
  ['sms', 'sms', undefined, 'sender! to! text! type campaignName'],
  ['flash', 'flash', undefined, 'sender! to! text! type'],
  [
    'interactive',
    'interactive',
    undefined,
    'interactive.type! interactive.header.type interactive.body.text! interactive.footer.text interactive.action.buttons.0.reply.title! to! from! campaignName',
  ],
];

function contextOf(template: Template | undefined): FormContext {
  return template ? { ...CONTEXT, template } : CONTEXT;
}

describe.each(FORMS)('the form: %s', (_name, kind, template, paths) => {
  const form = KINDS[kind].form(contextOf(template));
  const leaves = leavesOf(form);

  it('asks for its fields, in order, by the paths of the design', () => {
    expect(leaves.map(({ path, required }) => path + (required ? '!' : '')).join(' ')).toBe(paths);
  });

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
    const nothings = [
      {},
      undefined,
      null,
      '',
      [],
      { to: null, params: [], header: {} },
      { params: [null, ''] },
    ];
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

describe('what a form shows of its configuration', () => {
  const metaAt = (kind: MessageKind, path: string, context: FormContext) =>
    leavesOf(KINDS[kind].form(context)).find((leaf) => leaf.path === path)?.meta;

  it('offers the senders by label, the first one chosen', () => {
    expect(metaAt('chatapp', 'from', CONTEXT)).toEqual({
      label: 'From',
      initial: '+919876543210',
      optionLabels: {
        '+919876543210': 'Support (+91 98765 43210)',
        '+919812345678': 'Sales (+91 98123 45678)',
      },
    });
    expect(metaAt('rcs', 'botId', CONTEXT)).toEqual({
      label: 'Bot',
      initial: 'acme-bot',
      optionLabels: { 'acme-bot': 'Acme', 'promo-bot': 'Acme offers' },
    });
    expect(metaAt('flash', 'sender', CONTEXT)).toEqual({
      label: 'Sender',
      initial: 'ACMEIN',
      optionLabels: { ACMEIN: 'Acme (ACMEIN, TRANS)', '6598765432': 'Acme SG (6598765432, PROMO)' },
    });
  });

  it('chooses a type only where all senders agree', () => {
    const [first] = CONTEXT.senders.sms;
    const senders = { ...CONTEXT.senders, sms: first ? [first] : [] };
    expect(metaAt('sms', 'type', CONTEXT)).not.toHaveProperty('initial');
    expect(metaAt('sms', 'type', { ...CONTEXT, senders })).toMatchObject({ initial: 'TRANS' });
  });

  it('fills in the campaign name and shows numbers of the default country', () => {
    const context: FormContext = { ...CONTEXT, defaultCountry: 'SG', defaultCampaignName: 'Spring' };
    expect(metaAt('sms', 'campaignName', context)).toMatchObject({ initial: 'Spring' });
    expect(metaAt('sms', 'campaignName', { ...context, defaultCampaignName: '' })).not.toHaveProperty(
      'initial',
    );
    expect(metaAt('sms', 'to', context)).toMatchObject({ placeholder: '+65 8123 4567' });
  });

  it('names languages and placeholders', () => {
    expect(metaAt('chatapp', 'language', contextOf(TEMPLATES.otp))).toEqual({
      label: 'Language',
      optionLabels: { en: 'English (en)', hi: 'Hindi (hi)' },
    });
    expect(metaAt('chatapp', 'params.0', contextOf(TEMPLATES.text))).toEqual({
      label: 'customer',
      placeholder: 'Asha',
      maxLength: 3000,
      affectsPreview: true,
    });
  });
});

describe('kinds', () => {
  it('says of each kind whether its senders are configured', () => {
    const none = { chatapp: [], rcs: [], sms: [] };
    expect(MESSAGE_KINDS.map((kind) => whyUnusable(kind, CONTEXT.senders))).toEqual(
      MESSAGE_KINDS.map(() => undefined),
    );
    expect(MESSAGE_KINDS.map((kind) => whyUnusable(kind, none))).toEqual(
      [
        ['a chat-app message', 'chatapp'],
        ['an RCS message', 'rcs'],
        ['an SMS', 'sms'],
        ['a flash SMS', 'sms'],
        ['an interactive message', 'chatapp'],
        ['an address message', 'chatapp'],
      ].map(
        ([noun, key]) =>
          `No sender for ${noun} is configured. Ask whoever runs Herald to add one under senders.${key} in herald.yml.`,
      ),
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
