const NAMES = ['Priya', 'Kiran', 'Meera', 'Arjun', 'Divya', 'Rahul'];

/** How many people the README's picture and film send to. */
export const PEOPLE = 240;

/** Their list, as a CSV file, with one row that comes twice and one without a number. */
export const ORDERS = [
  'phone,customer,order',
  ...Array.from(
    { length: PEOPLE },
    (_, n) => `+91981234${String(6_000 + n)},${NAMES[n % NAMES.length]},A-${2_001 + n}`,
  ),
  '+919812346000,Priya,A-2001',
  '98123,Nobody,A-2999',
].join('\n');
