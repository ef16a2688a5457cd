import { kindOf, type Message } from '../messages/kinds.ts';
import type { FailureScope } from '../sends/outcome.ts';

/** Next steps that several failures share: each sentence stands here once. */

export const CHECK_THEN_CHOOSE =
  'Check in the service’s own records or with the recipient whether the message arrived; send it again only if ' +
  'it did not.';

export const CHECK_NUMBER_AND_VALUES =
  'Check the recipient’s number and the values, correct what is wrong, then send it again.';

export const LOOK_UP_CODE =
  'Look up the code in the service’s documentation or ask its support, correct what it names, then send it again.';

export const CHECK_ADDRESS = 'Ask whoever runs Herald to check the service’s configured address.';

export const DESCRIBE_ANSWER = 'Whoever runs Herald can describe such an answer, so that it is certain.';

/** What Herald makes of a listed code. `state` is what it says about the customer, `next` what a person does. */
export interface ServiceCode {
  readonly code: string;
  /** The interface document's words ("Send-media error codes"), as the end of a sentence. */
  readonly meaning: string;
  readonly state: 'rejected' | 'unknown';
  readonly scope: FailureScope;
  readonly next: string;
  /** The same for messages that are made without a template. */
  readonly nextWithoutTemplate?: string;
}

const WAIT_THEN_CHECK =
  'Wait until the service is back, check in its own records or with the recipient whether the message arrived, ' +
  'and send it again only if it did not.';

const NO_TEMPLATE =
  'The code speaks of a template, and this message is made without one: ask the service’s support why it was refused.';

const LOOK_AT_TEMPLATE = { state: 'rejected', scope: 'send', nextWithoutTemplate: NO_TEMPLATE } as const;
const ABOUT_RECIPIENT = { state: 'rejected', scope: 'recipient', next: CHECK_NUMBER_AND_VALUES } as const;
const UNAVAILABLE = { state: 'unknown', scope: 'service', next: WAIT_THEN_CHECK } as const;

const FAILURES: readonly ServiceCode[] = [
  { code: '100', meaning: 'invalid parameter', ...ABOUT_RECIPIENT },
  { code: '131009', meaning: 'parameter value is invalid', ...ABOUT_RECIPIENT },
  {
    code: '132000',
    meaning:
      'the number of variable values in the request differs from the number of variables defined in the template',
    ...LOOK_AT_TEMPLATE,
    next: 'Compare the template’s placeholders with Herald’s catalogue, correct the catalogue, and send it again.',
  },
  {
    code: '132001',
    meaning: 'the template does not exist in the specified language, or has not been approved',
    ...LOOK_AT_TEMPLATE,
    next: 'Check the template’s name, its language and its approval with the service, then send it again.',
  },
  {
    code: '132015',
    meaning: 'template parameters invalid or missing',
    ...LOOK_AT_TEMPLATE,
    next:
      'Check the template’s values and header; on the chat-app platform this code also means that the template ' +
      'is paused for quality, so look at its status there too.',
  },
  {
    code: '131051',
    meaning: 'unsupported message type',
    state: 'rejected',
    scope: 'send',
    next:
      'The variant in Herald’s catalogue does not fit the registered template: correct the variant, ' +
      'then send it again.',
    nextWithoutTemplate:
      'Ask whoever runs Herald to check with the service whether the account may send this kind of message, and how ' +
      'its request must look (`wire` in herald.yml).',
  },
  {
    code: '131021',
    meaning: 'sender and recipient phone number are the same',
    ...ABOUT_RECIPIENT,
    next: 'Leave this recipient out, or send from another number.',
  },
  {
    code: '133010',
    meaning: 'the phone number is not registered with the chat-app business platform',
    state: 'rejected',
    scope: 'send',
    next: 'Have the sender’s number registered, or send from a number that is.',
  },
  { code: '133004', meaning: 'the server is temporarily unavailable', ...UNAVAILABLE },
  { code: '131016', meaning: 'a service is temporarily unavailable', ...UNAVAILABLE },
  {
    code: '131000',
    meaning: 'the message failed to send due to an unknown error',
    state: 'unknown',
    scope: 'recipient',
    next: CHECK_THEN_CHOOSE,
  },
];

export const FAILURE_CODES: ReadonlyMap<string, ServiceCode> = new Map(
  FAILURES.map((one) => [one.code, one]),
);

/** Whether people could look at the template that a message is made from. */
export function hasTemplate(message: Message): boolean {
  return kindOf(message).templateName(message) !== undefined;
}

/** What a person does about a code, by what was sent. */
export function nextStep({ next, nextWithoutTemplate = next }: ServiceCode, isFromTemplate: boolean): string {
  return isFromTemplate ? next : nextWithoutTemplate;
}

export function namedCode(code: string): string {
  return FAILURE_CODES.has(code) ? `code ${code}` : `code ${code}, not in Herald’s list`;
}

/** The eight HTTP statuses of the interface document, in its words, as the end of a sentence. */
export const DOCUMENTED_STATUSES: ReadonlyMap<number, string> = new Map([
  [200, 'request successful'],
  [201, 'request successful and a resource was created'],
  [204, 'request successful, empty response'],
  [400, 'request not understood or required parameters missing'],
  [401, 'authentication failed or no permission for the operation'],
  [403, 'access denied'],
  [404, 'resource not found'],
  [405, 'method not supported for the resource'],
]);
