import { remedyOf, whyRefused } from '../posting/remedy.ts';

/*
 * What to say when Slack refuses a file, by the codes that files.getUploadURLExternal, files.completeUploadExternal and
 * files.info are documented to answer with. What is not among them may pass by itself.
 */

export const ELSEWHERE =
  'This file is not kept in Slack, so Herald cannot read it. Nothing was sent. Choose a file from your computer.';
export const GONE = 'Slack no longer has this file. Nothing was sent. Choose it again.';

const SETTINGS = /^(?:file_(?:uploads_|upload_size_|type_not_)|slack_connect_|user_is_external_guest$)/;

/** Why a file did not reach Slack, and what to do. */
export function whyNotTaken(code: string): string {
  if (code === 'missing_scope')
    return 'Herald may not upload files in this workspace. Ask whoever runs Herald to add the scope files:write and install it again.';
  if (code === 'storage_limit_reached')
    return 'The workspace has no room for more files. Delete files that nobody needs, or ask an admin for more room; then ask for the file again.';
  if (SETTINGS.test(code))
    return `The settings of the workspace do not allow this file (${code}). Ask an admin of it to let Herald upload CSV files; then ask for the file again.`;
  if (remedyOf(code) === 'elsewhere')
    return `Slack does not let Herald write there (${code}). Ask whoever runs Herald.`;
  return `Slack refused the file ${whyRefused(code)} Ask for it again later; if that does not help, tell whoever runs Herald.`;
}

/** Why Slack did not hand over a file, and what to do. */
export function whyNotHandedOver(code: string): string {
  switch (code) {
    case 'missing_scope':
      return 'Herald may not read files in this workspace. Nothing was sent. Ask whoever runs Herald to add the scope files:read and install it again; meanwhile paste the numbers.';
    case 'file_deleted':
      return GONE;
    case 'file_not_found':
    case 'not_visible':
      return 'Slack does not show Herald this file: it was deleted, or stands in a channel without Herald. Nothing was sent. Invite Herald there, or choose the file again.';
    default:
      return `Slack refused to hand over the file (${code}). Nothing was sent. Choose it again later; if that does not help, tell whoever runs Herald.`;
  }
}
