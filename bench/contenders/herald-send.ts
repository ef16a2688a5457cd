import { keepHeapSmall } from '../../src/core/heap.ts';
import { BULK_SMS } from '../bench-send.ts';
import { heraldPerSecond } from '../herald-dispatch.ts';

/* Herald's dispatch: called with the service's address, how many recipients, and `sms` for one text to all of them. */
keepHeapSmall();
const [origin = '', recipients, kind] = process.argv.slice(2);
process.send?.(await heraldPerSecond(origin, Number(recipients), kind === 'sms' ? BULK_SMS : undefined));
