import type { Template } from '../../../src/messages/templates/template.ts';
import { createAccess } from '../../../src/slack/kit/people/access.ts';
import { createChannelMembers, createMembers } from '../../../src/slack/kit/people/people.ts';
import { createViewUpdates } from '../../../src/slack/kit/views/view-updates.ts';
import { templatesFeature } from '../../../src/slack/templates/feature.ts';
import { following } from '../../fakes/only.ts';
import { createTemplatesSetting } from '../../sends/templates/setting.ts';
import { SlackWorkspace, startSandbox } from '../slack-workspace.ts';

/** The catalogue in a workspace, over real stores. */
export class CatalogueWorkspace extends SlackWorkspace {
  setting = createTemplatesSetting();
  /** `access.templates`. */
  rights: readonly string[] | undefined;

  static override async start(): Promise<CatalogueWorkspace> {
    const slack = new CatalogueWorkspace(await startSandbox());
    return slack.connect((add, base) => {
      const lookups = {
        members: createMembers(base),
        names: base.names,
        channelMembers: createChannelMembers(base),
        standings: base.standings,
        directory: { whyNot: async () => 'not_listed' as const },
        approvers: [],
      };
      const settings = () => ({ send: {}, templates: slack.rights, reports: [], audit: [] });
      add(templatesFeature, {
        ...base,
        views: createViewUpdates(base.clock, base.logger),
        templates: following(() => slack.setting.templates),
        access: { whyNot: (...asked) => createAccess(settings(), lookups).whyNot(...asked) },
      });
    });
  }

  /** Empties the catalogue, puts these in, and closes every window. */
  override async reset(...templates: readonly Template[]): Promise<void> {
    this.setting = createTemplatesSetting();
    this.rights = undefined;
    await this.setting.put(...templates);
    await super.reset();
  }

  /** Presses a button of the window on top, and waits until something else is shown. */
  press(actionId: string, value?: string, userId = 'U0ASHA'): Promise<void> {
    return this.person(userId).press(actionId, value === undefined ? {} : { value });
  }
}
