import { type DeliveryStatus, rankOf } from '../../sends/replies/event.ts';
import type { NewDelivery } from '../../sends/replies/ports.ts';
import { failureColumns } from '../rows.ts';
import type { Runner } from '../sql.ts';

const FIND = 'SELECT status, failure FROM deliveries WHERE send_id = :sendId AND row = :row';
const PUT = `INSERT OR REPLACE INTO deliveries (send_id, row, status, at, failure, explanation)
  VALUES (:sendId, :row, :status, :at, :failure, :explanation)`;
const COUNT = `INSERT INTO delivery_counts (send_id, status, failure, count, example)
  VALUES (:sendId, :status, :failure, :count, :explanation)
  ON CONFLICT (send_id, status, failure) DO UPDATE SET count = count + excluded.count,
    example = coalesce(example, excluded.example)`;

export async function addDeliveries(
  runner: Runner,
  given: readonly NewDelivery[],
): Promise<readonly string[]> {
  const changed = new Set<string>();
  for (const delivery of given) if (await addDelivery(runner, delivery)) changed.add(delivery.sendId);
  return [...changed];
}

async function addDelivery(runner: Runner, delivery: NewDelivery): Promise<boolean> {
  const { sendId, status } = delivery;
  const [before] = await runner.run<{ status: DeliveryStatus; failure: string | null }>(FIND, delivery);
  if (before !== undefined && rankOf(before.status) >= rankOf(status)) return false;
  const { failure, explanation } = failureColumns(delivery.failure);
  if (before !== undefined)
    await runner.change(COUNT, {
      ...before,
      sendId,
      failure: before.failure ?? '',
      count: -1,
      explanation: null,
    });
  await runner.change(PUT, { ...delivery, failure, explanation });
  await runner.change(COUNT, { sendId, status, failure: failure ?? '', count: 1, explanation });
  return true;
}
