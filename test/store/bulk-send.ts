import type { NewBulkSend } from '../../src/sends/ports.ts';

/** A bulk send of one text, before it has recipients; where a test asks for no other. */
export function bulkSend(id: string): NewBulkSend {
  return {
    id,
    kind: 'sms',
    message: { kind: 'sms', sender: 'ACMEIN', text: 'Hello', type: 'TRANS', unicode: false },
    origin: { teamId: 'T', userId: 'U', channelId: 'C' },
    createdAt: 1,
    requestKey: id,
    audience: { id: 'A', columns: [] },
  };
}
