import type { Approving } from './dependencies.ts';

/** Brings the approval card up to date, where there is one. */
export async function refreshCard(
  sendId: string,
  { store, audiences, announcer }: Pick<Approving, 'store' | 'audiences' | 'announcer'>,
): Promise<void> {
  const send = await store.find(sendId);
  const audience = send?.audience && (await audiences.find(send.audience.id));
  // Slack may take it later; whoever clicked has been answered.
  if (send && audience) void announcer.showApproval(send, audience);
}
