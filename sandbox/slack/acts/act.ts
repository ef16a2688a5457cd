import type { Act, ActResult } from '../../protocol.ts';
import type { WorkspaceParts } from '../parts.ts';
import { runCommand } from './command.ts';
import { actOnElement, suggestOptions } from './element.ts';
import {
  editAsOtherApp,
  editAsPerson,
  openHome,
  postAsOtherApp,
  postAsPerson,
  reactAsPerson,
} from './post.ts';
import { runGlobalShortcut, runMessageShortcut } from './shortcut.ts';
import { closeView, submitView } from './view.ts';
import { runWorkflowStep } from './workflow.ts';

/** Does what Slack's client would do on a person's behalf, and says how it went. */
export async function performAct(parts: WorkspaceParts, act: Act): Promise<ActResult> {
  if ('as' in act && !parts.state.users.has(act.as)) return { ok: false, error: 'user_not_found' };
  switch (act.type) {
    case 'command':
      return runCommand(parts, act);
    case 'post':
      return postAsPerson(parts, act);
    case 'edit':
      return editAsPerson(parts, act);
    case 'react':
      return reactAsPerson(parts, act);
    case 'app_post':
      return postAsOtherApp(parts, act);
    case 'app_edit':
      return editAsOtherApp(parts, act);
    case 'block_action':
      return actOnElement(parts, act);
    case 'view_submission':
      return submitView(parts, act);
    case 'view_closed':
      return closeView(parts, act);
    case 'suggestion':
      return suggestOptions(parts, act);
    case 'shortcut':
      return runGlobalShortcut(parts, act);
    case 'message_shortcut':
      return runMessageShortcut(parts, act);
    case 'workflow_step':
      return runWorkflowStep(parts, act);
    case 'home_opened':
      return openHome(parts, act);
  }
}
