/** Why a whole list cannot be taken, in two sentences. Thrown while a file is being read, and caught where reading began. */
export class ListRefusal extends Error {
  readonly what: string;
  readonly next: string;

  constructor(what: string, next: string) {
    super(what);
    this.what = `${what} Nothing was sent.`;
    this.next = next;
  }
}
