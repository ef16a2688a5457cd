import type { ActResult } from '../protocol.ts';

type Failure = ActResult & { ok: false };

const SENTENCES: Readonly<Record<string, (appName: string) => string>> = {
  operation_timeout: () => 'We had some trouble connecting. Try again?',
  dispatch_failed: () => 'We had some trouble connecting. Try again?',
  app_not_connected: (appName) => `${appName} is not connected to this workspace. It may still be starting.`,
  workspace_unreachable: () => 'The workspace server does not answer. Is the sandbox still running?',
};

/** What the client says when the app did not answer an action as it should. */
export function problemSentence(failure: Failure, appName: string): string {
  const known = SENTENCES[failure.error]?.(appName);
  if (known) return known;
  const message = 'message' in failure ? failure.message : undefined;
  return message ?? `That did not work (${failure.error}).`;
}

/** What Slackbot says when a command could not be carried out. */
export function commandProblem(command: string, failure: Failure, appName: string): string {
  if (failure.error === 'unknown_command')
    return `\`${command}\` is not a valid command. In this workspace, all messages that start with "/" are read as commands.`;
  if (failure.error === 'workspace_unreachable' || failure.error === 'app_not_connected')
    return `\`${command}\` was not run. ${problemSentence(failure, appName)}`;
  return `\`${command}\` failed with the error "${failure.error}".`;
}
