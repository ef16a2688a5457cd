/** Whole replies that ask for no more messages, in the languages of India, its neighbours and the countries around. */
export const STOP_WORDS: readonly string[] = [
  'STOP, STOP ALL, STOPALL, STOP PROMOTIONS, UNSUBSCRIBE, OPT OUT, OPT-OUT, OPTOUT, QUIT, END, बंद',
  'बंद करो, बंद करें, रोकें, रोको, थांबवा, বন্ধ, বন্ধ করুন, நிறுத்து, ఆపు, ఆపండి, ನಿಲ್ಲಿಸಿ',
  'നിർത്തുക, બંધ, બંધ કરો, ਬੰਦ ਕਰੋ, بند, روکیں, 停止, 退订, 退訂, BERHENTI, HENTIKAN, TUTUP, หยุด, DỪNG',
  '중지, 配信停止, BAJA, PARAR, ALTO, ARRET, ARRÊT, SAIR, PARE, STOPP, ABMELDEN, СТОП, توقف, إيقاف, DUR',
].flatMap((line) => line.split(', '));

/** The sentence that people read where a reply asks for no more messages, and has no number that Herald can read. */
export const UNREAD_STOP =
  'Somebody asked for no more messages, and Herald could not read who. Ask the messaging service, and type /optout add and the number.';

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * True when a reply consists of one stop word, ignoring case, letter width and what stands around words. "Stop by at five"
 * is no stop reply.
 */
export function isStopReply(text: string, stopWords: readonly string[]): boolean {
  const said = plain(text);
  return said !== '' && stopWords.some((word) => plain(word) === said);
}

function plain(text: string): string {
  const words = text.normalize('NFKC').toLocaleLowerCase('und').match(WORDS);
  return words?.join(' ') ?? '';
}
