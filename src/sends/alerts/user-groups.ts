import { type AlertSettings, userGroupsOf } from './rules.ts';
import type { DecideOn } from './situation.ts';

/*
 * Rules may notify user groups of Slack. Who is in them is kept with the state of each rule, as Slack said it last: an alert asks
 * nobody, and reaches them while Slack is down and after a restart.
 */

/** How often Slack is asked, in milliseconds: while it answers, and while it does not. */
const ASK_MS = 5 * 60_000;
const ASK_AGAIN_MS = 15_000;

/** Slack's user ids by the group's id and by its handle with `@`; undefined while Slack does not say. */
export type AskUserGroups = () => Promise<ReadonlyMap<string, readonly string[]> | undefined>;

/** Keeps who is in the user groups of rules; returns after how long to ask again, or undefined where no rule names one. */
export function createUserGroups(
  settings: AlertSettings,
  ask: AskUserGroups,
  decideOn: DecideOn,
): (() => Promise<number>) | undefined {
  const wanted = settings.rules.flatMap((rule) => {
    const groups = userGroupsOf(rule, settings);
    return groups.length === 0 ? [] : [{ rule: rule.name, groups }];
  });
  if (wanted.length === 0) return undefined;
  return async () => {
    const known = await ask();
    if (known === undefined) return ASK_AGAIN_MS;
    await decideOn([], ({ rules }) => {
      for (const { rule, groups } of wanted) {
        const state = rules.get(rule) ?? { rule };
        // Of a group that is not there any more, whoever was in it last is better than nobody.
        const members = Object.fromEntries(
          groups.map((group) => [group, known.get(group) ?? state.members?.[group] ?? []]),
        );
        if (JSON.stringify(members) !== JSON.stringify(state.members)) rules.set(rule, { ...state, members });
      }
    });
    return ASK_MS;
  };
}
