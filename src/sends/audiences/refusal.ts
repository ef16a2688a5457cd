/** Why a whole list is refused, in two sentences. Thrown while a file is read, and caught in service.ts. */
export class ListRefusal extends Error {
  readonly what: string;
  readonly next: string;

  constructor(what: string, next: string) {
    super(what);
    this.what = `${what} Nothing was sent.`;
    this.next = next;
  }
}
