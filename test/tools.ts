import { installTools } from '../scripts/tools.ts';

/** What tests of the group `long` need is installed before any of them begins. */
export default function setup(): void {
  installTools('test/expressions');
  installTools('test/kubernetes');
}
