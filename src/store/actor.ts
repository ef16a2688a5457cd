/** Herald's own actor in the record, for what happens by itself. */
export const HERALD = 'herald';
