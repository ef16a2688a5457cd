/**
 * Every advisory lock of Herald's that has a number of its own; they stand together so that no two share one. Each spells
 * "her" and a letter. (Locks on phone numbers and on people are hashes of 64 bits.)
 */
export const LOCKS = {
  /** One replica at a time brings the schema up to date. */
  migrating: 0x6865_7261,
  /** Of replicas that start at once one compares where the database stands. */
  comparing: 0x6865_7262,
  /** One move of an installation at a time. */
  moving: 0x6865_7263,
} as const;
