/**
 * GSM 03.38 basic and extension tables. The carrier keeps its own so that a mistake in Herald's cannot pass on
 * both sides.
 */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENSION = '^{}\\[~]|€\f';
const GSM = new Set([...BASIC, ...EXTENSION]);

/** True when the text can only travel as UCS-2. */
export function needsUnicode(text: string): boolean {
  for (const character of text) if (!GSM.has(character)) return true;
  return false;
}
