/** Room for text in one message or window. What does not fit whole is left out and counted, never cut. */
export interface Room {
  /** True where there was room for so many characters; it is taken then. */
  take(characters: number): boolean;
  /** How often there was none. */
  left(): number;
}

export function createRoom(characters: number): Room {
  let free = characters;
  let left = 0;
  return {
    take: (wanted) => {
      if (wanted > free) {
        left += 1;
        return false;
      }
      free -= wanted;
      return true;
    },
    left: () => left,
  };
}

/**
 * A text in pieces of at most so many characters, which together are the text. A piece ends after a blank or a line where
 * it can, and never within a character.
 */
export function piecesOf(text: string, most: number): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + most, text.length);
    const next = text.charCodeAt(to);
    // The second half of a pair belongs to the first.
    if (next >= 0xdc00 && next <= 0xdfff) to -= 1;
    const blank = Math.max(text.lastIndexOf(' ', to - 1), text.lastIndexOf('\n', to - 1));
    if (to < text.length && blank > from + most / 2) to = blank + 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
