export const TEAM = 'C0TEAM';
export const ASHA = 'U0ASHA';
export const RAVI = 'U0RAVI';
export const MEI = 'U0MEI';

/** Where approvals are asked for, in whichever test asks for them. */
export const APPROVALS = 'C0APPROVALS';

/** The team of the end-to-end tests: one sender a channel, and a template for each variant. */
export const TEAM_CONFIGURATION = `
defaults: { country: IN, timezone: Asia/Kolkata }
senders:
  chatapp:
    - { number: "+919876543210", label: Support }
  rcs:
    - { botId: acme-bot, label: Acme, type: PRETRANS }
  sms:
    - { id: ACMEIN, label: Acme, type: TRANS }
templates:
  - { name: login_code, channel: chatapp, variant: otp, label: Login code, languages: [en, hi], text: "{{1}} is your code." }
  - name: order_update
    channel: chatapp
    variant: text
    label: Order update
    placeholders: [{ name: customer, example: Asha }, { name: order, example: A-1001 }]
    text: "Hello {{1}}, your order {{2}} is on its way."
  - { name: closed_today, channel: chatapp, variant: text, label: Closed today, text: "We are closed today." }
  - name: invoice
    channel: chatapp
    variant: document
    label: Invoice
    placeholders: [{ name: month, example: May }]
    text: "Your invoice for {{1}} is attached."
  - { name: festive_photo, channel: chatapp, variant: image, label: Festive greeting, text: "Happy Diwali!" }
  - { name: shop_tour, channel: chatapp, variant: video, label: Shop tour, text: "Come in and look around." }
  - { name: store_open, channel: rcs, variant: plain, label: Store opening, text: "We are open." }
  - { name: rate_us, channel: rcs, variant: rich, label: Rate us, text: "How did we do?" }
  - name: appointment
    channel: rcs
    variant: variables
    label: Appointment
    placeholders: [{ name: day, example: Monday }, { name: hour, example: "10:00" }]
    text: "See you on {{1}} at {{2}}."
  - { name: catalogue_fixed, channel: rcs, variant: carousel-fixed, label: Catalogue }
  - { name: weekly_offers, channel: rcs, variant: carousel-images, label: Weekly offers, cards: 2 }
  - name: order_shipped
    channel: sms
    label: Order shipped
    dltTemplateId: "1107160000000000001"
    entityId: "1101550000000000001"
    placeholders: [{ name: customer, example: Asha }, { name: order, example: A-1001 }]
    text: "Dear {#var#}, your order {#var#} is on its way. - Acme"
`;

/** As above, and whatever goes to more than one person waits for a manager. */
export const WITH_APPROVALS = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 1 }
`;

/** SMS go out one after the other, so many a second: there is a middle in which something happens. */
export const slowly = (perSecond: number) =>
  `pacing: { sms: { perSecond: ${perSecond}, concurrency: 1, recipientsPerRequest: 1 } }\n`;

export const FROM = '+919876543210';
/** An ordinary customer, for whom everything goes well. */
export const CUSTOMER = '+6591234567';
