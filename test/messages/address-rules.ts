import { table } from '../table.ts';
import { tooLong } from './interactive-rules.ts';
import {
  addressFormIn,
  addressFormSg,
  brokenRules,
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
  `A ${label.toLowerCase()} has 6 digits; this has ${characters}.`;

export const BROKEN = brokenRules(
  { India: addressFormIn, Singapore: addressFormSg },
  table`
India | country = "US" | ${ONLY_HERE}
India | body.text = null | Enter the text of the message.
India | body.text = "${'x'.repeat(1025)}" | ${tooLong('Text', 1024)}
India | header = { "type": "text", "text": "${'x'.repeat(61)}" } | header.text | ${tooLong('Header text', 60)}
India | footer.text = "${'x'.repeat(61)}" | ${tooLong('Footer', 60)}
India | values.in_pin_code = "5600011" | ${long('Pin Code')}
India | values.in_pin_code = "ABC" | Pin Code has digits only, such as 411001.
Singapore | values.sg_post_code = "0189561" | ${long('Post Code')}
Singapore | values.sg_post_code = "S18956" | Post Code has digits only, such as 018956.
Singapore | values.sg_post_code = "01895x" | Post Code has digits only, such as 018956.
Singapore | values.sg_post_code = "{{code}}" | ${long('Post Code', 8)}
India | values.city = "Pune\nGoa" | City must be one line, without line breaks.
India | values.phone_number = "98123" | This is too short for a phone number; emergency and short service numbers cannot be messaged. Enter a full number, for example +91 81234 56789.
India | values.sg_post_code = "018956" | The form has no such field. Open the form again.
India | to = "+80012345678" | This number belongs to no country, and the address form is for India: the service shows it there only. Enter a number of India, or choose the other country.
Singapore | to = "${IN_NUMBER}" | This number is of India, and the address form is for Singapore: the service shows it there only. Enter a number of Singapore, or choose the other country.
India | to = "${FROM}" | This is the number that sends the message. Enter the recipient’s number.
India | savedAddresses = [{ "id": "${'x'.repeat(257)}", "value": { "city": "Pune" } }] | savedAddresses.0.id | ${tooLong('Saved address 1: id', 256)}
India | savedAddresses = [{ "id": "a\nb", "value": { "city": "Pune" } }] | savedAddresses.0.id | Saved address 1: id must be one line, without line breaks.
India | savedAddresses = [{ "id": "home" }] | savedAddresses.0.value | Enter this saved address, or remove it.
India | savedAddresses = [{ "id": "a", "value": { "city": "Pune" } }, { "id": "a", "value": { "city": "Goa" } }] | savedAddresses.1.id | Saved address 1 has this id. Each needs its own.
India | savedAddresses = [{ "value": { "in_pin_code": "5600011" } }] | savedAddresses.0.value.in_pin_code | ${long('Pin Code')}
India | savedAddresses = ${JSON.stringify(Array(4).fill({ value: { city: 'Pune' } }))} | There is room for 3 saved addresses. Remove those that are too many.`,
);

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
