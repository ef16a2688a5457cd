/** Something that a look at the installation found, for whoever runs Herald. Both sentences are without secrets. */
export interface Finding {
  /** `wrong`: Herald does not start, or something will not work. `advice`: it works as long as all goes well. */
  readonly weight: 'wrong' | 'advice';
  readonly what: string;
  readonly fix: string;
}

export function wrong(what: string, fix: string): Finding {
  return { weight: 'wrong', what, fix };
}

export function advice(what: string, fix: string): Finding {
  return { weight: 'advice', what, fix };
}
