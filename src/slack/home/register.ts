import type { App, BlockButtonAction, webApi } from '@slack/bolt';
import { createExpiringMap } from '../../core/expiring-map.ts';
import { classifyApiError } from '../connection/api-error.ts';
import { gatherHome, type HomeDependencies } from './facts.ts';
import { homeView, REFRESH_ACTION, START_ACTION } from './home-view.ts';

const LINKS_KEPT_MS = 24 * 60 * 60_000;
const LINKS_KEPT = 2_000;

interface Registration extends HomeDependencies {
  /** Opens the choice of a kind of message, and then its form. */
  readonly openKindChoice: (
    click: { readonly triggerId: string; readonly userId: string },
    client: webApi.WebClient,
  ) => Promise<void>;
}

/** Publishes a person's Home when they open it or ask for it anew, and opens the forms from it. */
export function registerHome(app: App, { openKindChoice, ...dependencies }: Registration): void {
  const links = createExpiringMap<string>(LINKS_KEPT_MS, LINKS_KEPT, dependencies.clock);

  async function publish(person: { readonly userId: string; readonly teamId: string }): Promise<void> {
    const view = homeView(await gatherHome(person, dependencies, links));
    try {
      await dependencies.client.views.publish({ user_id: person.userId, view });
    } catch (error) {
      dependencies.logger.warn(
        { userId: person.userId, failure: classifyApiError(error) },
        'Home was not shown',
      );
    }
  }

  app.event('app_home_opened', async ({ event, context }) => {
    if (event.tab !== 'home') return;
    await publish({ userId: event.user, teamId: context.teamId ?? '' });
  });
  app.action<BlockButtonAction>(REFRESH_ACTION, async ({ body, ack, context }) => {
    await ack();
    await publish({ userId: body.user.id, teamId: context.teamId ?? '' });
  });
  app.action<BlockButtonAction>(START_ACTION, async ({ body, ack, client }) => {
    await ack();
    await openKindChoice({ triggerId: body.trigger_id, userId: body.user.id }, client);
  });
}
