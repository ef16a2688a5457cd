import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { NewSend } from '../../src/sends/ports.ts';

/** A send to one person that waits to be sent, for tests about the file that it stands in. */
export function oneSend(id: string): NewSend {
  return {
    id,
    kind: 'sms',
    message: { kind: 'sms', sender: 'ACMEIN', text: 'Hello', type: 'TRANS', unicode: false },
    origin: { teamId: 'T0', userId: 'U0ASHA', channelId: 'C0TEAM' },
    state: 'approved',
    recipients: [{ number: '+911' as Msisdn }],
    createdAt: 1,
    requestKey: id,
  };
}
