import type { Message } from './message.ts';
import { septetsOf } from './sms/segments.ts';

/**
 * The message as it may be stored, shown and logged. A chat-app one-time password is dropped. The text of an SMS
 * or flash SMS of type OTP holds the password somewhere, in a form nobody can be sure to find, so all of it is
 * covered; what covers it counts the same, so that parts and encoding stay true.
 */
export function withoutSecrets(message: Message): Message {
  if (message.kind === 'chatapp') {
    const { otp: _otp, ...rest } = message;
    return rest;
  }
  if ((message.kind === 'sms' || message.kind === 'flash') && message.type === 'OTP') {
    return { ...message, text: cover(message.text) };
  }
  return message;
}

/**
 * True when the message cannot be sent as `withoutSecrets` leaves it: the secret is kept in memory only, and a
 * message read back from the store after a restart has lost it.
 */
export function needsSecret(message: Message): boolean {
  if (message.kind === 'chatapp') return message.variant === 'otp';
  return (message.kind === 'sms' || message.kind === 'flash') && message.type === 'OTP';
}

/** Stands for one character of as many units: GSM basic, GSM extended, one and two UTF-16 units. */
const COVERS = { basic: '#', extended: '^', single: '•', pair: '🔒' } as const;

function cover(text: string): string {
  return Array.from(text, (character) => {
    if (character === ' ' || character === '\n') return character;
    const septets = septetsOf(character);
    if (septets === 1) return COVERS.basic;
    if (septets === 2) return COVERS.extended;
    return character.length === 1 ? COVERS.single : COVERS.pair;
  }).join('');
}
