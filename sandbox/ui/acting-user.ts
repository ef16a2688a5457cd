import { useState } from 'preact/hooks';
import type { Bootstrap, SandboxUser, WorkspaceSnapshot } from '../protocol.ts';

const CHOSEN_USER = 'herald-sandbox-user';

/**
 * Who the page acts as: whom this tab chose, else the address (`?as=U…`), else the workspace's proposal. Two tabs
 * can be two people.
 */
export function useActingUser(
  bootstrap: Bootstrap,
  snapshot: WorkspaceSnapshot | undefined,
): { me: SandboxUser | undefined; switchTo: (userId: string) => void } {
  const [chosen, setChosen] = useState(() => sessionStorage.getItem(CHOSEN_USER));
  const people = snapshot?.users.filter((user) => !user.isBot) ?? [];
  const wanted = [chosen, new URLSearchParams(location.search).get('as'), bootstrap.defaultUserId];
  const me = wanted.map((id) => people.find((user) => user.id === id)).find(Boolean) ?? people[0];
  const switchTo = (userId: string) => {
    sessionStorage.setItem(CHOSEN_USER, userId);
    setChosen(userId);
  };
  return { me, switchTo };
}
