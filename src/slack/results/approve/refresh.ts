import type { Approving } from './dependencies.ts';

/** Brings the approval card up to date, where there is one. */
export async function refreshCard(
  sendId: string,
  { store, announcer }: Pick<Approving, 'store' | 'announcer'>,
): Promise<void> {
  const send = await store.find(sendId);
  // Slack may take it later; whoever clicked has been answered.
  if (send) void announcer.showApproval(send);
}
