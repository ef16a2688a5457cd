import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Act, ActResult, Bootstrap, SandboxUser, WorkspaceSnapshot } from '../protocol.ts';

/** Who and what is there. What changes all the time is handed to whoever shows it: each change would draw everything. */
export type Directory = Omit<WorkspaceSnapshot, 'messages' | 'viewStacks' | 'homes' | 'executions'>;

/** What every part of the page may need to know or do. */
export interface Workspace {
  bootstrap: Bootstrap;
  snapshot: Directory;
  /** Whom the page acts as. */
  me: SandboxUser;
  perform: (what: Act) => Promise<ActResult>;
  /** A short notice at the bottom of the window. */
  notify: (text: string) => void;
  openChannel: (channelId: string) => void;
  /** Messages of this workspace are shown here, everything else in a window of its own. */
  openLink: (url: string) => void;
}

const WorkspaceContext = createContext<Workspace | undefined>(undefined);
export const WorkspaceProvider = WorkspaceContext.Provider;

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('useWorkspace is called outside the workspace.');
  return workspace;
}

export function findUser(workspace: Workspace, userId: string | undefined): SandboxUser | undefined {
  return workspace.snapshot.users.find((user) => user.id === userId);
}

/** A person's name as the client shows it; the app's own name for its bot. */
export function userName(workspace: Workspace, userId: string | undefined): string {
  if (userId === workspace.bootstrap.app.botUserId) return workspace.bootstrap.app.name;
  const user = findUser(workspace, userId);
  return user?.realName || user?.name || userId || 'Someone';
}
