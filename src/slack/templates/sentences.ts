import type { Template } from '../../messages/templates/template.ts';
import type { Send } from '../../sends/send.ts';
import type { TemplateDoubt } from '../../sends/templates/store.ts';
import { MOST_PROBLEMS } from '../../sends/templates/yaml.ts';

/* Herald says these about the catalogue. Nothing is ever sent from here, and nothing says so except where sends end. */

export const NO_TEMPLATES =
  'The catalogue is empty. Add a template, import a file, or ask whoever runs Herald to list some under templates in herald.yml.';
export const NOTHING_FITS =
  'No template fits. Search for something else, or look under another channel or state.';
export const GONE = 'There is no such template any more.';
export const RIGHTS_UNKNOWN =
  'Herald could not find out in time whether you may change templates. Nothing was changed. Try again in a minute.';
export const SAVED = 'Saved.';
export const UNCHANGED = 'Nothing was different, so nothing was saved.';
export const TAKING_LONGER =
  'This takes longer than usual. The template is shown here when it is saved; do not enter it again until then.';
export const NAME_TAKEN =
  'There is a template of this channel with this name already: edit that one, or choose another name.';
export const NAME_ARCHIVED =
  'There is an archived template of this channel with this name: restore that one, or choose another name.';
export const AGREE_MISSING = 'Nothing was changed. Tick this to go on, or leave the template as it is.';
export const NAME_PLACEHOLDERS =
  'Nothing was saved yet. The sample text has placeholders that are new: name them below, and press Save again.';
export const FILE_MISSING = 'Choose a YAML file.';
export const FILE_UNREADABLE =
  'The file could not be read to its end, or has more than 2 MB. Nothing was changed. Choose it again, or a smaller one.';
export const NOTHING_TO_IMPORT = 'The catalogue has all of it already. Nothing needs to be changed.';
export const PLAN_CHANGED =
  'Nothing was changed yet: the catalogue, or what waits to be sent, is no longer as you saw it. Look again, and press Import.';
export const EXPORTED = 'The catalogue was sent to you directly as a file.';
export const VALUES_FIT = 'These values fit.';

/** On top of a template that a result led to: what to compare with what is registered with the service. */
export function comparison(doubt: TemplateDoubt, code: string, template: Template): string {
  const count = template.placeholders.length;
  const names = template.placeholders.map(({ name }, index) => `{{${index + 1}}} ${name}`).join(', ');
  const placeholders =
    count === 0 ? 'no placeholders' : `${count} ${count === 1 ? 'placeholder' : 'placeholders'} (${names})`;
  const languages = template.languages.join(', ') || 'none is listed here';
  switch (doubt) {
    case 'placeholders':
      return `Code ${code}: the service expects a different number of values than were sent. This catalogue has ${placeholders}. Compare with the template as it is registered, and correct whichever is wrong before you send again.`;
    case 'registration':
      return `Code ${code}: the service does not know this template in that language, or has not approved it. Compare the name “${template.name}” and the languages (${languages}) with what is registered, and look whether it is approved.`;
    case 'parameters':
      return `Code ${code}: values are wrong or missing. Compare the ${placeholders} and the kind of header with what is registered; on the chat-app platform this code also means that the template is paused for quality, so look at its status there.`;
  }
}

export const changedMeanwhile = (who: string, differences: string) =>
  `Nothing was saved: ${who} changed this template after you opened it. ${differences} What you typed is kept. Compare, and press Save again to put yours in its place.`;

export const voidsApprovals = (count: number) =>
  count === 1
    ? 'A send of this template has not begun. Changing the template voids its approval: it ends, nothing of it is sent, and it has to be asked for again.'
    : `${count} sends of this template have not begun. Changing the template voids their approvals: they end, nothing of them is sent, and they have to be asked for again.`;

export function voided(sends: readonly Pick<Send, 'id'>[]): string {
  const ids = sends.map(({ id }) => id).join(', ');
  return ids && ` Ended, with nothing sent: ${ids}. The people who asked for them are notified.`;
}

export const problemsFound = (count: number) =>
  count === 1
    ? 'Nothing was changed: the file has a problem. Correct it and choose it again.'
    : `Nothing was changed: the file has ${count}${count < MOST_PROBLEMS ? '' : ' or more'} problems. Correct them and choose it again.`;
