import { expect, test } from 'vitest';
import type { Audience } from '../../src/sends/audience.ts';
import type { Audiences } from '../../src/sends/audiences/service.ts';
import {
  AUDIENCES_SUBCOMMANDS,
  handleAudiencesCommand,
} from '../../src/slack/audiences/audiences-command.ts';
import {
  handleDraftSuggestions,
  handleSaveDraft,
  handleUseDraft,
} from '../../src/slack/compose/changes/drafts.ts';
import { composeView } from '../../src/slack/compose/form/form-view.ts';
import { whoWasFirst } from '../../src/slack/compose/start/again.ts';
import { sayingView } from '../../src/slack/kit/blocks/blocks.ts';
import { renderCard } from '../../src/slack/kit/cards/send-card.ts';
import { subcommandIn } from '../../src/slack/kit/feature/feature.ts';
import { namesIn, plainTextOf } from '../../src/slack/kit/message-text/plain-text.ts';
import { createPeople } from '../../src/slack/kit/people/people.ts';
import { approvalCard } from '../../src/slack/results/approve/card.ts';
import { detailsView } from '../../src/slack/results/approve/details-view.ts';
import { templateFormView } from '../../src/slack/templates/form.ts';
import { changedMeanwhile } from '../../src/slack/templates/sentences.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { only } from '../fakes/only.ts';
import { AUDIENCE, openStore, prepare, SEND_ID } from '../slack/bulk-sends.ts';
import { clickIn, createSetting, openView } from '../slack/compose/setting.ts';
import { report, SMS } from '../slack/kit/cards/reports.ts';
import { factsIn } from '../slack/results/sources.ts';
import { judgeTexts, type Shown, shareOf, textsFor } from './judged-texts.ts';

/* What people, channels, drafts and saved audiences are called: by anybody in the workspace, and shown to everybody. */

const EVERY = 8;
const some = textsFor(EVERY);

const NAME_CHARACTERS = 80;
const FILE_NAME_CHARACTERS = 255;

/** Tries `show` with each name, and says what came of it. */
async function tryNames(show: (name: string) => Promise<Shown>): Promise<string> {
  const names = judgeTexts();
  for (const name of some) await names.showsAll(name, {}, () => show(name));
  return `${names.figure()}; ${names.shown()} messages and windows${shareOf(EVERY)}`;
}

test('names of people, groups and channels, as Slack gives them', async ({ task }) => {
  const { compose } = createSetting();
  task.meta.figure = await tryNames(async (name) => {
    const client = {
      users: { info: async () => ({ user: { profile: { display_name: name, real_name: name }, name } }) },
      usergroups: { list: async () => ({ usergroups: [{ id: 'S0GROUP', handle: name }] }) },
      conversations: { info: async () => ({ channel: { name } }) },
    } as never;
    const clock = createManualClock();
    const logger = createRecordingLogger();
    const { names } = createPeople({ client, clock, logger, identity: () => undefined });
    const other = { id: SEND_ID, retryOf: 'S-0', origin: { userId: 'U0OTHER' } } as never;
    const message = { text: 'Ask <@U0OTHER>, <!subteam^S0GROUP> or <#C0OTHER>.' };
    const text = plainTextOf(message, await namesIn(message, { names, clock })).slice(0, 700);
    const channel = await names.nameOf('C0OTHER');
    const metadata = { kind: 'sms', rows: 1, sends: 0 } as never;
    const card = report({ ...SMS, text }, { state: 'accepted' });
    return {
      views: [
        sayingView('SMS', await whoWasFirst(other, { ...compose, names, clock })),
        sayingView('SMS', `It is in ${channel}.`),
        templateFormView({ metadata, values: {}, note: changedMeanwhile(await names.nameOf('U0OTHER'), '') }),
        composeView({ kind: 'sms', values: { text }, channelId: 'C0TEAM', notes: [channel] }, compose),
      ],
      messages: [renderCard(card, undefined, { direct: false, inFull: true })],
    };
  });
});

test('names of drafts: saved, suggested, used and deleted', async ({ task }) => {
  let kept = 0;
  const figure = await tryNames(async (name) => {
    const { compose, client } = createSetting();
    const values = { draftName: name };
    const form = { kind: 'interactive', channelId: 'C0TEAM', values, more: true } as const;
    const offered: object[] = [];
    const view = openView(composeView(form, compose), { draftName: name });
    await handleSaveDraft(clickIn(view, { action_id: 'save_draft' }, client), compose);
    const ack = async ({ options = [] }: { options?: object[] }) => void offered.push(...options);
    const asking = { body: { user: { id: 'U0ASHA' }, view, value: '' }, ack };
    await handleDraftSuggestions(asking as never, compose);
    const [chosen] = offered as { value: string }[];
    if (chosen !== undefined) {
      kept += 1;
      const saved = openView(client.view, { draftName: name });
      const picked = { action_id: 'use_draft', selected_option: chosen } as never;
      await handleUseDraft(clickIn(saved, picked, client), compose);
    }
    const menu = { type: 'static_select', action_id: 'x', options: offered };
    return {
      views: client.of('views.update').map((one) => one.view as object),
      messages: chosen === undefined ? [] : [{ blocks: [{ type: 'actions', elements: [menu] }] }],
    };
  });
  expect(kept).toBeGreaterThan(some.length / 4);
  task.meta.figure = `${figure}; ${kept} were taken`;
});

test('names of saved audiences and their files: listed, looked at, deleted, sent to', async ({ task }) => {
  const { compose } = createSetting();
  const store = openStore();
  await prepare(store, { message: SMS });
  task.meta.figure = await tryNames(async (whole) => {
    // The form takes no more, and not nothing.
    const name = whole.slice(0, NAME_CHARACTERS).toWellFormed().trim() || 'x';
    const fileName = whole.slice(0, FILE_NAME_CHARACTERS);
    const audience: Audience = { ...AUDIENCE, name, fileName, columns: [name], numberColumn: name };
    const said: object[] = [];
    const views: object[] = [];
    const open = async ({ view }: { view: object }) => ({ ok: true, view: { id: `V${views.push(view)}` } });
    const row = { row: 0, number: '+6591234567', values: [name] };
    const audiences = {
      list: async () => [audience, audience],
      find: async () => audience,
      findByName: async (asked: string) => (asked === '?' ? undefined : audience),
      sample: async () => [row],
    };
    for (const text of ['', 'look x', 'delete x', 'replace x', `upload ${name}`, 'look ?', `look ${name}`]) {
      const args = {
        command: { text, trigger_id: 't', user_id: 'U0ASHA', channel_id: 'C0TEAM', team_id: 'T0ACME' },
        ...{ ack: async (one?: object) => void (one && said.push(one)), help: 'Help.' },
        ...{ respond: async (one: object) => void said.push(one), client: { views: { open } } },
      } as never;
      const found = subcommandIn(AUDIENCES_SUBCOMMANDS, text);
      if (found === undefined) await handleAudiencesCommand(args, { audiences } as never);
      else await found.row.handle(args, { audiences } as never, found.rest);
    }
    const facts = await factsIn(store, { audiences: only<Audiences>({ find: async () => audience }) });
    const leftOut = [{ row: 2, value: name, cause: 'invalid', reason: name }];
    const list = { audience, sample: [row], leftOut, review: 'later' } as never;
    return {
      views: [
        ...views,
        detailsView(facts),
        composeView({ kind: 'sms', values: { text: 'Hello' }, channelId: 'C0TEAM', list }, compose),
      ],
      messages: [...said, approvalCard(facts)],
    };
  });
});
