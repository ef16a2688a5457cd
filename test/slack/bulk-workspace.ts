import type { SandboxView } from '../../sandbox/protocol.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createNotes } from '../../src/sends/notes.ts';
import { audiencesFeature } from '../../src/slack/audiences/feature.ts';
import { createCompose } from '../../src/slack/compose/compose.ts';
import { composeFeature } from '../../src/slack/compose/feature.ts';
import type { SlackServices } from '../../src/slack/kit/services.ts';
import { following, only } from '../fakes/only.ts';
import { createLists, createNeeds, RecordingBulkSends } from './compose/list/bulk-setting.ts';
import { RecordingSends, SENDERS, SettableCatalogue } from './compose/setting.ts';
import { SlackWorkspace, startSandbox } from './slack-workspace.ts';

/** Forms, lists and commands in a workspace; behind them nothing but fakes. */
export class BulkWorkspace extends SlackWorkspace {
  sends = new RecordingSends();
  audiences = createLists();
  bulkSends = new RecordingBulkSends(this.audiences, new SettableCatalogue());

  static override async start(): Promise<BulkWorkspace> {
    const bulk = new BulkWorkspace(await startSandbox());
    return bulk.connect((add, base) => {
      const services = only<SlackServices>({
        ...createNeeds(),
        ...base,
        audiences: following(() => bulk.audiences),
        catalogue: new SettableCatalogue(),
        sends: only(following(() => bulk.sends)),
        senders: { ...SENDERS, sms: SENDERS.sms.map((sender) => ({ ...sender, label: 'Acme & Co' })) },
        timeZoneOf: async () => 'Asia/Kolkata',
        notes: createNotes(systemClock),
        bulkSends: only(following(() => bulk.bulkSends)),
        approvals: { over: 2, channel: 'C0APPROVALS' },
      });
      add(composeFeature, createCompose(services));
      add(audiencesFeature, services);
    });
  }

  /** Forgets what was asked, and closes every form. */
  override async reset(): Promise<void> {
    this.sends = new RecordingSends();
    this.audiences = createLists();
    this.bulkSends = new RecordingBulkSends(this.audiences, new SettableCatalogue());
    await super.reset();
  }

  /** Until the open form shows what was found in a list. */
  untilReview(): Promise<SandboxView> {
    return this.until('the list to be shown', () => {
      return this.asha.views().length > 0 && this.text('list:counts') !== undefined && this.shown();
    });
  }
}
