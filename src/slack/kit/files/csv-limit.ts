/** A larger file is not read to its end. `sends/audiences` has the sentence; this only bounds the transfer. */
export const CSV_MAX_BYTES = 128 * 1024 * 1024;
