/** Writes the tour's transcript: who does what, what the channel says, what the phones show. */
export class Narrator {
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  chapter(title: string): void {
    this.#write(`\n${title}\n${'─'.repeat(title.length)}\n`);
  }

  /** Somebody types or does something. */
  person(name: string, what: string): void {
    this.#write(`\n${name.padEnd(NAME_WIDTH)}${indent(what, NAME_WIDTH)}\n`);
  }

  /** The same person goes on. */
  aside(what: string): void {
    this.#write(`${' '.repeat(NAME_WIDTH)}${indent(what, NAME_WIDTH)}\n`);
  }

  /** A post of Herald's, as the channel shows it. */
  herald(text: string): void {
    const name = 'Herald'.padEnd(NAME_WIDTH);
    this.#write(`${name}${indent(text, NAME_WIDTH, '│ ')}\n`);
  }

  phone(number: string, channel: string, text: string): void {
    const name = 'Phone'.padEnd(NAME_WIDTH);
    this.#write(`${name}${number} · ${channel} · ${indent(text, NAME_WIDTH)}\n`);
  }
}

const NAME_WIDTH = 9;

function indent(text: string, columns: number, mark = ''): string {
  return mark + text.split('\n').join(`\n${' '.repeat(columns)}${mark}`);
}
