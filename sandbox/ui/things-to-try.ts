/** What a stranger types first: on the page a click runs it, in the terminal it is read. */
export const THINGS_TO_TRY = [
  { line: '/chatapp', what: 'pick a template, fill it in, watch the phone' },
  {
    line: '/flash +6591234567 The server room is at 41 degrees',
    what: 'lies over the phone’s screen, is not kept',
  },
  {
    line: '/chatapp order_update +919999132000 "Asha" "A-1001"',
    what: 'fails with code 132000, and says what to do',
  },
] as const;

/** With rows on purpose that nothing can be sent to: a number twice, one that is none, a name that lacks. */
export const SAMPLE_LIST = [
  'phone,customer,order',
  ...['Priya', 'Kiran', 'Meera', 'Arjun', 'Divya', 'Rahul', 'Mei', 'Arun', 'Leela', 'Farid'].map(
    (name, n) => `+9198123460${10 + n},${name},A-${2001 + n}`,
  ),
  '+919812346010,Priya,A-2001',
  '98123,Nobody,A-2011',
  '+919812346030,,A-2012',
].join('\n');
