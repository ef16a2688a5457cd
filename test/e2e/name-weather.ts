import { afterEach } from 'vitest';
import { WEATHER } from './weather.ts';

/* Says with each test that fails what the weather was. */
if (WEATHER !== undefined) {
  const { seed } = WEATHER;
  afterEach(({ task }) => {
    if (task.result?.state === 'fail')
      console.log(`${task.name}: the weather was HERALD_E2E_WEATHER=${seed}`);
  });
}
