import { describe, expect, it } from 'vitest';
import { rowOf, wireSchema } from '../src/gateway/wire.ts';
import { CHANNELS, KINDS, kindOf, MESSAGE_KINDS } from '../src/messages/kinds.ts';
import type { Msisdn } from '../src/messages/numbers/phone-number.ts';
import { createPersonaliser } from '../src/messages/personalise.ts';
import { DEFAULT_TERMS } from '../src/messages/service-terms.ts';
import { estimate } from '../src/sends/estimate.ts';
import { createQuietHours } from '../src/sends/quiet-hours.ts';
import { helpText } from '../src/slack/compose/line/help.ts';
import { COMMANDS } from '../src/slack/features.ts';
import { isWithin } from '../src/slack/kit/forms/path.ts';
import { LINKED } from './messages/linked.ts';

/*
 * Every question that is asked of a kind, asked of every kind: what the compiler cannot hold, such as that an answer says
 * anything. A new kind is here by itself; its samples are in linked.ts.
 */

const TO = '+919876543211' as Msisdn;
const NOON = Date.UTC(2026, 0, 5, 6, 30);
const TYPES = ['TRANS', 'PROMO', 'OTP'];
const ALWAYS_QUIET = createQuietHours(
  TYPES.map((type) => ({
    country: 'IN',
    types: [type],
    from: '00:00',
    to: '23:59',
    timezone: 'Asia/Kolkata',
  })),
);
const WIRE = wireSchema.parse({});

it('forms go by what requests carry, with anything under `wire:` and without', () => {
  for (const request of ['otp', 'text', 'document', 'image', 'video', 'interactive', 'address'] as const)
    for (const value of ['language', 'campaignName'] as const)
      expect([request, value, WIRE.terms.takes(request, value)]).toEqual([
        request,
        value,
        DEFAULT_TERMS.takes(request, value),
      ]);
});

describe.each(MESSAGE_KINDS)('%s', (kind) => {
  const { title, noun, command, channel, templateChannel, textPath, personalPaths } = KINDS[kind];

  it('has its words, its command and its channel', () => {
    expect(title.length).toBeLessThanOrEqual(24);
    expect(noun).toMatch(/^an? /);
    expect(Object.keys(CHANNELS)).toContain(channel);
    expect(helpText(kind)).toContain('builds' in command ? command.builds : command.description);
    const commands = COMMANDS.map((one) => one.command);
    expect(commands).toContain('builds' in command ? `/${channel}` : `/${kind}`);
    // Begun with a text, or made of a template, or either; never neither.
    expect(textPath ?? templateChannel).toBeDefined();
  });

  describe.each(LINKED[kind].map((message) => ({ message })))('of $message', ({ message }) => {
    const of = kindOf(message);

    it('can be shown', () => {
      const facts = of.facts(message);
      expect(facts.length).toBeGreaterThan(0);
      expect(facts.length).toBeLessThanOrEqual(6);
      expect(of.inShort(message, undefined)).toMatch(/^[^\n]+$/);
      expect(of.text(message, undefined)).toBeDefined();
      const { text } = of.preview(of.formValues(message), undefined);
      expect(text === '').toBe(textPath === undefined);
      expect(of.formValues(message)[of.senderField]).toEqual(expect.any(String));
      expect(() => of.preview({ nonsense: [null] }, undefined)).not.toThrow();
    });

    it('can be sent to many', () => {
      const fields = of.personalFields(message);
      for (const { path } of fields)
        expect(personalPaths.some((personal) => isWithin(path, personal))).toBe(true);
      expect(createPersonaliser(message, ['name'])(['Asha'])).toEqual(message);
      const rows = [{ number: TO, values: [] }];
      const priced = { currency: 'INR', sms: { IN: 2 }, chatapp: { IN: 2 }, rcs: { IN: 2 } };
      const { cost, segments } = estimate(message, [], rows, 1, priced);
      expect(cost?.amount).toBe(2 * (of.segments(message) ?? 1));
      expect(segments === undefined).toBe(of.segments(message) === undefined);
    });

    it('is held in quiet hours by its type, or never', () => {
      const type = of.quietHoursType(message);
      expect(type === undefined || TYPES.includes(type)).toBe(true);
      expect(ALWAYS_QUIET(message, NOON)?.(TO) === undefined).toBe(type === undefined);
    });

    it('can be shown without its words, of which nothing is left', () => {
      const left = of.withoutWords(message);
      const words = [
        ...of.personalFields(message).map(({ text }) => text),
        ...of.attachments(message).map(({ value }) => value),
      ];
      for (const text of words) expect(JSON.stringify(left)).not.toContain(JSON.stringify(text).slice(1, -1));
      expect(of.attachments(left)).toEqual([]);
      expect(of.facts(left).length).toBeGreaterThan(0);
      expect(of.inShort(left, undefined)).toMatch(/^[^\n]+$/);
      expect(of.text(left, undefined)).toBeDefined();
      expect(of.templateName(left)).toBe(of.templateName(message));
    });

    it('keeps no secret where there is none', () => {
      expect(of.needsSecret(message)).toBe(false);
      expect(of.secretOf(message)).toBeUndefined();
      expect(of.withoutSecret(message)).toEqual(message);
    });

    it('has a row on the wire, with everything in it that the row needs', () => {
      const { row, values } = rowOf(message, [{ number: TO }], WIRE);
      expect(row.shape.missing(values)).toEqual([]);
      expect(JSON.stringify(row.shape.fill(values))).toContain(TO.slice(1));
    });
  });
});
