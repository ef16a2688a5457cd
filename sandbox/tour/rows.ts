/* Longer than other files by a few lines: the rows of the interface document, one errand each, are one table. */
import type { Person } from '../person.ts';
import type { PhoneMessage } from '../protocol.ts';
import { type Stage, TEAM } from './stage.ts';

const FROM = '+919876543210';
const ACCEPTED = /accepted by the service/i;

/** One send of the morning: each goes to a phone of its own, so that one message there is proof. */
interface Errand {
  readonly row: string;
  readonly who: 'asha' | 'ravi' | 'mei';
  readonly why: string;
  readonly number: string;
  /** A whole line, or a command whose form is filled in. */
  readonly line: string;
  readonly form?: {
    readonly template?: string;
    /** Buttons that bring the fields there, in order. */
    readonly presses?: readonly string[];
    /** What is picked from menus. */
    readonly choices?: Readonly<Record<string, string>>;
    readonly fields: Readonly<Record<string, string>>;
  };
  readonly wire: { readonly path: string; readonly body: unknown };
  readonly phone: Partial<PhoneMessage>;
}

const chatapp = (number: string, templateName: string, rest: object): Errand['wire'] => ({
  path: '/v1/chatapp',
  body: { from: FROM, to: number, templateName, type: 'template', ...rest },
});
const rcs = (number: string, templateName: string, rest: object = {}): Errand['wire'] => ({
  path: '/v1/rcs',
  body: { number, templateName, botId: 'acme-bot', type: 'PRETRANS', ...rest },
});
const customer = (n: number): string => `+9198123456${String(n).padStart(2, '0')}`;
const CARDS = [1, 2, 3].map((card) => `https://files.example/offer-${card}.jpg`);

/** The three reply buttons that are offered: what each says, and what comes back when it is tapped. */
const REPLIES = ['Yes', 'Tomorrow', 'Call me'].map((title) => ({
  title,
  id: `visit-${title.toLowerCase().replace(' ', '-')}`,
}));
const conversation = (number: string, interactive: unknown, rest: object = {}): Errand['wire'] => ({
  path: '/v1/chatapp',
  body: { recipient_type: 'individual', from: FROM, to: number, type: 'interactive', ...rest, interactive },
});

/** Rows 1 to 9, 11 and 12 of the wire, in the order in which the morning needs them. */
export const ERRANDS: readonly Errand[] = [
  {
    row: '6',
    who: 'asha',
    why: 'opens the shop',
    number: customer(6),
    line: `/rcs store_open ${customer(6)}`,
    wire: rcs(customer(6), 'store_open'),
    phone: { channel: 'rcs', from: 'acme-bot', text: 'We are open. Come in!' },
  },
  {
    row: '3',
    who: 'asha',
    why: 'tells a customer that the order has left',
    number: customer(3),
    line: `/chatapp order_update ${customer(3)} "Kiran" "A-1001"`,
    wire: chatapp(customer(3), 'order_update', { components: { body: { params: ['Kiran', 'A-1001'] } } }),
    phone: { channel: 'chatapp', from: FROM, text: 'Hello Kiran, your order A-1001 is on its way.' },
  },
  {
    row: '1',
    who: 'asha',
    why: 'helps a customer to log in; the code is shown to nobody else',
    number: customer(1),
    line: '/chatapp',
    form: {
      template: 'login_code',
      presses: ['More'],
      choices: { language: 'en_US' },
      fields: { otp: '482913' },
    },
    wire: chatapp(customer(1), 'login_code', { otp: '482913', language: { code: 'en_US' } }),
    phone: { channel: 'chatapp', text: '482913 is your Acme login code. Share it with nobody.' },
  },
  {
    row: '2',
    who: 'ravi',
    why: 'sends an invoice',
    number: customer(2),
    line: '/chatapp',
    form: {
      template: 'invoice',
      fields: {
        'params.0': 'May',
        'header.link': 'https://files.example/may.pdf',
        'header.filename': 'may.pdf',
      },
    },
    wire: chatapp(customer(2), 'invoice', {
      components: {
        body: { params: ['May'] },
        header: {
          type: 'document',
          document: { link: 'https://files.example/may.pdf', filename: 'may.pdf' },
        },
      },
    }),
    phone: {
      text: 'Your invoice for May is attached.',
      media: [{ type: 'document', link: 'https://files.example/may.pdf', filename: 'may.pdf' }],
    },
  },
  {
    row: '2b',
    who: 'ravi',
    why: 'sends a festive picture',
    number: customer(22),
    line: '/chatapp',
    form: { template: 'festive_photo', fields: { 'header.link': 'https://files.example/lamp.png' } },
    wire: chatapp(customer(22), 'festive_photo', {
      components: {
        body: { params: [] },
        header: { type: 'image', image: { link: 'https://files.example/lamp.png' } },
      },
    }),
    phone: { media: [{ type: 'image', link: 'https://files.example/lamp.png' }] },
  },
  {
    row: '2c',
    who: 'asha',
    why: 'sends a look into the shop',
    number: customer(23),
    line: '/chatapp',
    form: { template: 'shop_tour', fields: { 'header.link': 'https://files.example/tour.mp4' } },
    wire: chatapp(customer(23), 'shop_tour', {
      components: {
        body: { params: [] },
        header: { type: 'video', video: { link: 'https://files.example/tour.mp4' } },
      },
    }),
    phone: { media: [{ type: 'video', link: 'https://files.example/tour.mp4' }] },
  },
  {
    row: '4',
    who: 'asha',
    why: 'confirms an appointment',
    number: customer(4),
    line: `/rcs appointment ${customer(4)} “Monday” “10:00”`,
    wire: rcs(customer(4), 'appointment', { content: [{ params: ['Monday', '10:00'] }] }),
    phone: { text: 'See you on Monday at 10:00.' },
  },
  {
    row: '5',
    who: 'ravi',
    why: 'shows this week’s offers, a picture a card',
    number: customer(5),
    line: '/rcs',
    form: {
      template: 'weekly_offers',
      fields: Object.fromEntries(CARDS.map((link, card) => [`content.${card}.fileUrl`, link])),
    },
    wire: rcs(customer(5), 'weekly_offers', { content: CARDS.map((fileUrl) => ({ fileUrl })) }),
    phone: { media: CARDS.map((link) => ({ type: 'image', link })) },
  },
  {
    row: '7',
    who: 'asha',
    why: 'asks how it went',
    number: customer(7),
    line: `/rcs rate_us ${customer(7)}`,
    wire: rcs(customer(7), 'rate_us'),
    phone: { text: 'How did we do? Tap a star.' },
  },
  {
    row: '8',
    who: 'asha',
    why: 'shows the catalogue',
    number: customer(8),
    line: `/rcs catalogue_fixed ${customer(8)}`,
    wire: rcs(customer(8), 'catalogue_fixed'),
    phone: { text: 'Our catalogue, card by card.' },
  },
  {
    row: '9',
    who: 'asha',
    why: 'writes a text message in Hindi, with an emoji, which Slack hands on as its name',
    number: customer(9),
    line: `/sms ${customer(9)} नमस्ते, आपका ऑर्डर तैयार है। :tada:`,
    wire: {
      path: '/v1/sms',
      body: {
        sender: 'ACMEIN',
        to: [customer(9).slice(1)],
        text: 'नमस्ते, आपका ऑर्डर तैयार है। 🎉',
        type: 'TRANS',
        unicode: 1,
      },
    },
    phone: { channel: 'sms', from: 'ACMEIN', text: 'नमस्ते, आपका ऑर्डर तैयार है। 🎉' },
  },
  {
    row: '11',
    who: 'ravi',
    why: 'asks whether a visit suits, with three buttons to answer by',
    number: customer(11),
    line: '/chatapp interactive',
    form: {
      presses: ['Add a button (2 left)', 'Add a button (1 left)', 'Set ids myself'],
      fields: {
        'interactive.body.text': 'May we come today?',
        ...Object.fromEntries(
          REPLIES.flatMap(({ title, id }, index) => [
            [`interactive.action.buttons.${index}.reply.title`, title],
            [`interactive.action.buttons.${index}.reply.id`, id],
          ]),
        ),
      },
    },
    wire: conversation(customer(11), {
      type: 'button',
      body: { text: 'May we come today?' },
      action: { buttons: REPLIES.map(({ title, id }) => ({ type: 'reply', reply: { id, title } })) },
    }),
    phone: { channel: 'chatapp', text: 'May we come today?' },
  },
  {
    row: '12',
    who: 'asha',
    why: 'asks a customer in India for an address, of which the pin code is known',
    number: customer(12),
    line: '/chatapp address',
    form: {
      presses: ['Fill in values…', 'More'],
      fields: {
        'body.text': 'Where shall we deliver?',
        'footer.text': 'On weekdays, from nine to six.',
        'values.in_pin_code': '560001',
        campaignName: 'Deliveries',
      },
    },
    wire: conversation(
      customer(12),
      {
        type: 'address_message',
        body: { text: 'Where shall we deliver?' },
        footer: { text: 'On weekdays, from nine to six.' },
        action: {
          name: 'address_message',
          parameters: { country: 'IN', values: { in_pin_code: '560001' } },
        },
      },
      { campaignName: 'Deliveries' },
    ),
    phone: { channel: 'chatapp', text: 'Where shall we deliver?' },
  },
];

/** Runs an errand and checks what the service received, what the channel says and what the phone shows. */
export async function runErrand(stage: Stage, errand: Errand): Promise<void> {
  const { narrator, verification } = stage;
  const person = stage[errand.who];
  narrator.person(nameOf(errand.who), `${errand.why}  (row ${errand.row})`);
  narrator.aside(errand.line);
  const before = stage.requests().length;
  const result = await stage.resultOf(person, () => perform(stage, person, errand), ACCEPTED);
  const received = stage
    .requests()
    .slice(before)
    .map(({ path, body }) => ({ path, body }));
  verification.same(`Row ${errand.row} was sent once, whole`, received, [errand.wire]);
  verification.claim(
    `Row ${errand.row}: the channel shows no more than the end of the number`,
    !result.replaceAll(/\D/g, '').includes(errand.number.slice(1, -4)),
    result,
  );
  stage.tellPhone(errand.number, errand.phone);
}

async function perform(stage: Stage, person: Person, errand: Errand): Promise<void> {
  const { verification, narrator } = stage;
  if (!errand.form) {
    verification.same(`"${errand.line}" was taken`, await person.command(TEAM, errand.line), { ok: true });
    return;
  }
  const form = await person.openForm(TEAM, errand.line);
  if (errand.form.template) await form.chooseTemplate(errand.form.template);
  for (const text of errand.form.presses ?? []) await form.press(text);
  const { choices = {}, fields } = errand.form;
  for (const [path, wanted] of Object.entries(choices)) await form.choose(path, wanted);
  form.fill('to', errand.number).fillAll(fields);
  const values = Object.entries({ to: errand.number, ...choices, ...fields });
  const labels = new Map(form.paths().map((path, index) => [path, form.labels()[index]]));
  if (errand.form.template) narrator.aside(`picks ${errand.form.template}`);
  for (const text of errand.form.presses ?? []) narrator.aside(`presses “${text}”`);
  for (const [path, value] of values)
    narrator.aside(`${labels.get(path)}: ${path === 'otp' ? '••••••' : value}`);
  verification.same(`The form for row ${errand.row} was taken`, await form.submit(), { ok: true });
}

function nameOf(who: Errand['who']): string {
  return who.charAt(0).toUpperCase() + who.slice(1);
}
