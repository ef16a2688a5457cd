import {
  addressFormIn,
  addressFormSg,
  changed,
  FROM,
  IN_NUMBER,
  SG_NUMBER,
  type Values,
} from './interactive-samples.ts';

/* Every rule of an address message, each broken alone, and the limits kept exactly. */

const ONLY_HERE =
  'Address messages work in India and Singapore only: the messaging service has address fields for no other country. Choose one of the two.';
const long = (label: string, characters = 7) =>
  `${label} has ${characters} characters; at most 6 are possible (an emoji counts as two or more). Shorten it by ${characters - 6}.`;
const SAVED = 'savedAddresses.0';

export const BROKEN: readonly [rule: string, form: Values, path: string, sentence: string][] = [
  ['India or Singapore', changed(addressFormIn(), 'country', 'US'), 'country', ONLY_HERE],
  ['a body', changed(addressFormIn(), 'body.text', null), 'body.text', 'Enter the text of the message.'],
  [
    'a body of 1024 characters',
    changed(addressFormIn(), 'body.text', 'x'.repeat(1025)),
    'body.text',
    'Body has 1025 characters; at most 1024 are possible (an emoji counts as two or more). Shorten it by 1.',
  ],
  [
    'a pin code of six',
    changed(addressFormIn(), 'values.in_pin_code', '5600011'),
    'values.in_pin_code',
    long('Pin Code'),
  ],
  [
    'a post code of six',
    changed(addressFormSg(), 'values.sg_post_code', '0189561'),
    'values.sg_post_code',
    long('Post Code'),
  ],
  [
    'a post code of digits',
    changed(addressFormSg(), 'values.sg_post_code', 'S18956'),
    'values.sg_post_code',
    'Post Code has digits only, such as 018956.',
  ],
  [
    'nothing but digits in a post code',
    changed(addressFormSg(), 'values.sg_post_code', '01895x'),
    'values.sg_post_code',
    'Post Code has digits only, such as 018956.',
  ],
  [
    'a pin code of digits',
    changed(addressFormIn(), 'values.in_pin_code', 'ABC'),
    'values.in_pin_code',
    'Pin Code has digits only, such as 411001.',
  ],
  [
    'one line for a value',
    changed(addressFormIn(), 'values.city', 'Pune\nGoa'),
    'values.city',
    'City must be one line, without line breaks.',
  ],
  [
    'a column in a form for many only',
    changed(addressFormSg(), 'values.sg_post_code', '{{code}}'),
    'values.sg_post_code',
    long('Post Code', 8),
  ],
  [
    'an id of 256 characters',
    changed(addressFormIn(), 'savedAddresses', [{ id: 'x'.repeat(257), value: { city: 'Pune' } }]),
    'savedAddresses.0.id',
    'Saved address 1: id has 257 characters; at most 256 are possible (an emoji counts as two or more). Shorten it by 1.',
  ],
  [
    'an id on one line',
    changed(addressFormIn(), 'savedAddresses', [{ id: 'a\nb', value: { city: 'Pune' } }]),
    'savedAddresses.0.id',
    'Saved address 1: id must be one line, without line breaks.',
  ],
  [
    'a number of a country',
    changed(addressFormIn(), 'to', '+80012345678'),
    'to',
    'This number belongs to no country, and the address form is for India: the service shows it there only. Enter a number of India, or choose the other country.',
  ],
  [
    'a valid phone number',
    changed(addressFormIn(), 'values.phone_number', '98123'),
    'values.phone_number',
    'This is too short for a phone number; emergency and short service numbers cannot be messaged. Enter a full number, for example +91 81234 56789.',
  ],
  [
    'a header of 60 characters',
    changed(addressFormIn(), 'header', { type: 'text', text: 'x'.repeat(61) }),
    'header.text',
    'Header text has 61 characters; at most 60 are possible (an emoji counts as two or more). Shorten it by 1.',
  ],
  [
    'a footer of 60 characters',
    changed(addressFormIn(), 'footer.text', 'x'.repeat(61)),
    'footer.text',
    'Footer has 61 characters; at most 60 are possible (an emoji counts as two or more). Shorten it by 1.',
  ],
  [
    'a recipient in the country',
    changed(addressFormSg(), 'to', IN_NUMBER),
    'to',
    'This number is of India, and the address form is for Singapore: the service shows it there only. Enter a number of Singapore, or choose the other country.',
  ],
  [
    'another number than the sender’s',
    changed(addressFormIn(), 'to', FROM),
    'to',
    'This is the number that sends the message. Enter the recipient’s number.',
  ],
  [
    'no field of another country',
    changed(addressFormIn(), 'values.sg_post_code', '018956'),
    'values.sg_post_code',
    'The form has no such field. Open the form again.',
  ],
  [
    'a saved address',
    changed(addressFormIn(), 'savedAddresses', [{ id: 'home' }]),
    `${SAVED}.value`,
    'Enter this saved address, or remove it.',
  ],
  [
    'ids of their own',
    changed(addressFormIn(), 'savedAddresses', [
      { id: 'home', value: { city: 'Pune' } },
      { id: 'home', value: { city: 'Goa' } },
    ]),
    'savedAddresses.1.id',
    'Saved address 1 has this id. Each needs its own.',
  ],
  [
    'the table’s limits in saved addresses',
    changed(addressFormIn(), 'savedAddresses', [{ value: { in_pin_code: '5600011' } }]),
    `${SAVED}.value.in_pin_code`,
    long('Pin Code'),
  ],
  [
    'three saved addresses at most',
    changed(
      addressFormIn(),
      'savedAddresses',
      Array.from({ length: 4 }, (_none, index) => ({ value: { city: `${index}` } })),
    ),
    'savedAddresses',
    'There is room for 3 saved addresses. Remove those that are too many.',
  ],
];

export const TAKEN: readonly [what: string, form: Values][] = [
  ['codes of six', addressFormIn()],
  ['a Singapore post code that begins with 0', addressFormSg()],
  ['nothing filled in', changed(addressFormIn(), 'values', {})],
  ['a body of 1024 characters', changed(addressFormIn(), 'body.text', 'x'.repeat(1024))],
  // The document asks for a valid number, not for one of the country.
  ['somebody’s number abroad', changed(addressFormIn(), 'values.phone_number', SG_NUMBER)],
  [
    'an image on top, and words below',
    changed(
      changed(addressFormIn(), 'header', { type: 'image', image: { link: 'https://files.example/a.png' } }),
      'footer.text',
      'We deliver on weekdays.',
    ),
  ],
  ['a campaign name', changed(addressFormIn(), 'campaignName', 'Spring')],
];
