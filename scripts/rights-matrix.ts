import { ENTRANCES } from '../src/slack/features.ts';
import type { Need } from '../src/slack/kit/feature/rights.ts';

/* Who gets past each entrance, for docs/rights.md; the tests hold Herald to the same list. */

/** What people are to a send that one of them asked for, and how the tables call them. */
export const ROLES = {
  owner: 'asked for it',
  colleague: 'listed in `access`',
  approver: 'approver',
  excluded: 'other member',
  guest: 'guest',
  stranger: 'other workspace',
} as const;
export type Role = keyof typeof ROLES;

const EVERYBODY = Object.keys(ROLES) as Role[];
const MEMBERS: readonly Role[] = ['owner', 'colleague', 'approver', 'excluded'];
/** Who asked is listed as well. */
const LISTED: readonly Role[] = ['owner', 'colleague'];

/** Who has each right to what `owner` did, where `access` of herald.yml lists people for sending, templates and lists. */
export const HOLDERS: Readonly<Record<Need, readonly Role[]>> = {
  nothing: EVERYBODY,
  requester: ['owner'],
  approve: ['approver'],
  'requester or approve': ['owner', 'approver'],
  send: LISTED,
  'send or approve': [...LISTED, 'approver'],
  templates: LISTED,
  lists: LISTED,
  'lists and templates': LISTED,
  'lists or templates': LISTED,
  sends: MEMBERS,
  reports: ['owner', 'approver'],
  'sends or audit': ['approver'],
};

/** One line for each entrance that takes a right: its name, the right, who asks for it, and who has it. */
export function rightsMatrix(): readonly (readonly string[])[] {
  const taking = Object.entries(ENTRANCES).filter(([, { needs }]) => needs !== 'nothing');
  return taking.map(([name, { needs, right }]) => [
    `\`${name}\``,
    needs,
    right === undefined ? 'handler' : 'entrance',
    ...EVERYBODY.map((role) => (HOLDERS[needs].includes(role) ? 'yes' : 'no')),
  ]);
}
