/** What the network tells of one message. */
export interface Report {
  readonly id: string;
  /** Recipient, E.164. */
  readonly number: string;
  readonly status: 'delivered' | 'read' | 'failed';
}
