import type { KnownBlock, ModalView } from '@slack/types';
import { templateDifferences } from '../../messages/templates/differences.ts';
import {
  HERALD_YML,
  type TemplateAction,
  type TemplateChange,
  type TemplateKey,
  type TemplateSource,
} from '../../sends/templates/store.ts';
import { escapeMrkdwn, literalMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { actions, button, moment, saying, sayingView, section } from '../kit/blocks/blocks.ts';
import { writeKey } from '../kit/cards/look-button.ts';
import type { ClickHandler } from '../kit/clicks/arguments.ts';
import { type LookMetadata, readKey, readLook } from './metadata.ts';
import { GONE } from './sentences.ts';
import { byWhom, type Catalogue, channelOf, replace, shell, showAbove } from './windows.ts';

const HISTORY_VIEW = 'template_history';
export const OLDER_ACTION = 'template_older';

const PAGE = 15;
const SHOWN_VALUE = 200;

const WORDS: Readonly<Record<TemplateAction, string>> = {
  added: 'Added',
  edited: 'Edited',
  archived: 'Archived',
  restored: 'Restored',
};
const WAYS: Readonly<Record<TemplateSource, string>> = {
  form: '',
  import: ', from an imported file',
  [HERALD_YML]: '',
};

/** Who changed what and when, newest first. */
async function historyView(
  key: TemplateKey,
  channelId: string | undefined,
  { templates }: Catalogue,
  before?: number,
): Promise<ModalView> {
  // One more than is shown: each change is told by what it differs in from the one before.
  const changes = await templates.history(key, PAGE + 1, before);
  const oldest = changes.length > PAGE ? changes[PAGE - 1] : undefined;
  return shell({
    callbackId: HISTORY_VIEW,
    title: 'History',
    metadata: { channelId, key: writeKey(key) } satisfies LookMetadata,
    blocks: [
      saying(`What was done to “${key.name}”, newest first.`, 'opening'),
      ...changes.slice(0, PAGE).map((change, index) => line(change, changes[index + 1])),
      ...actions(
        oldest === undefined ? [] : [button(OLDER_ACTION, 'Show older', String(oldest.revision))],
        'older',
      ),
    ],
  });
}

function line(change: TemplateChange, before: TemplateChange | undefined): KnownBlock {
  const { action, source, actor, at, template } = change;
  const differences = before === undefined ? [] : templateDifferences(before.template, template);
  const lines = differences.map(
    ({ what, before: was, after: is }) =>
      `• ${escapeMrkdwn(what)}: ${literalMrkdwn(was, SHOWN_VALUE)} → ${literalMrkdwn(is, SHOWN_VALUE)}`,
  );
  const text = [`*${WORDS[action]}* ${byWhom(actor)}, ${moment(at)}${WAYS[source]}`, ...lines].join('\n');
  return section(
    text.length > LIMITS.sectionText ? `${lines.length} things differ. ${text.split('\n')[0]}` : text,
  );
}

export const handleHistory: ClickHandler<Catalogue> = async (args, catalogue) => {
  const key = readKey(args.action.value);
  const view = key ? await historyView(key, channelOf(args), catalogue) : sayingView('Templates', GONE);
  await showAbove(args, view, catalogue);
};

export const handleOlder: ClickHandler<Catalogue> = async ({ body, action, client }, catalogue) => {
  const { key: written, channelId } = readLook(body.view?.private_metadata ?? '');
  const key = readKey(written);
  if (key === undefined) return;
  const view = await historyView(key, channelId, catalogue, Number(action.value));
  await replace(client, body.view?.id, view, catalogue);
};
