import { expect, it } from 'vitest';
import { addressText } from '../../../src/messages/address/form.ts';
import { ADDRESS_FIELDS } from '../../../src/messages/address/message.ts';

const BODY = { body: { text: 'Where to?' }, footer: { text: 'By noon.' } };
const FRAME = 'Where to?\nBy noon.\n\n[ Provide address ]\n';

it('shows the fields of Singapore, what they hold and what is wrong with it', () => {
  const entered = {
    ...BODY,
    country: 'SG',
    values: { name: 'Asha', sg_post_code: '0189' },
    validationErrors: { sg_post_code: 'Six digits.' },
  };
  expect(addressText(entered, ADDRESS_FIELDS)).toBe(
    `${FRAME}Name: Asha\nPhone Number: …\nPost Code: 0189  ⚠ Six digits.\nLandmark/Area: …`,
  );
});

it('shows three saved addresses at most, each in one line, above the fields of India', () => {
  const savedAddresses = [
    { value: { city: 'Pune', name: 'Asha', sg_post_code: '018956' } },
    { value: { city: ' ' } },
    {},
    { value: { city: 'Goa' } },
  ];
  const text = addressText({ ...BODY, country: 'DE', savedAddresses }, ADDRESS_FIELDS);
  expect(text).toBe(
    `${FRAME}○ Asha, Pune\n○ ⟨saved address 2⟩\n○ ⟨saved address 3⟩\n${[
      ...['Name', 'Phone Number', 'Pin Code', 'Flat/House Number', 'Floor Number', 'Tower Number'],
      ...['Building/Apartment Name', 'Address', 'Landmark/Area', 'Unit Number', 'City', 'State'],
    ]
      .map((label) => `${label}: …`)
      .join('\n')}`,
  );
});
