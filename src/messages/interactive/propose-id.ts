/** Room for a number behind a title that is used twice, and far below every limit of an id. */
const LONGEST_WORDS = 60;

/** What an id is made of: the words of a title, in lower case, with dashes between them. */
export function idFrom(title: string, otherwise: string): string {
  const words = title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const short = [...words].slice(0, LONGEST_WORDS).join('');
  return short === '' ? otherwise : short;
}

/** The id, or the id with the first free number behind it; what is returned is then taken. */
export function takeFreeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  taken.add(id);
  return id;
}
