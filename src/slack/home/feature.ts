import { classifyApiError, remedyOf } from '../connection/api-error.ts';
import { clickerOf } from '../kit/clicks/answering.ts';
import type { ShortcutArguments, SlackClient } from '../kit/clicks/arguments.ts';
import type { Feature } from '../kit/feature/feature.ts';
import { handlerAsks } from '../kit/feature/rights.ts';
import type { SlackServices } from '../kit/services.ts';
import { gatherHome } from './facts.ts';
import { homeView, REFRESH_ACTION, refusedHome, START_ACTION } from './home-view.ts';

export interface Home extends SlackServices {
  /** Opens the choice of a kind of message, and then its form. */
  readonly openKindChoice: (click: ShortcutArguments['shortcut'], client: SlackClient) => Promise<void>;
}

/** A person's Home, and the forms that open from it. What others send is left out for those who may not see it. */
export const homeFeature: Feature<Home> = {
  events: {
    app_home_opened: {
      ...handlerAsks('sends'),
      handle: async ({ event, context }, home) => {
        if (event.tab === 'home') await publish({ userId: event.user, teamId: context.teamId ?? '' }, home);
      },
    },
  },
  actions: {
    [REFRESH_ACTION]: { ...handlerAsks('sends'), handle: (args, home) => publish(clickerOf(args), home) },
    [START_ACTION]: {
      ...handlerAsks('send'),
      handle: ({ body, client }, { openKindChoice }) => openKindChoice(body, client),
    },
  },
};

async function publish(person: ReturnType<typeof clickerOf>, home: Home): Promise<void> {
  const { userId: user_id } = person;
  const view = homeView(await gatherHome(person, home));
  try {
    await home.client.views.publish({ user_id, view });
  } catch (error) {
    const failure = classifyApiError(error);
    home.logger.warn({ userId: user_id, failure }, 'Home was not shown');
    if (failure.kind !== 'refused' || remedyOf(failure.code) !== 'plain_text') return;
    await home.client.views.publish({ user_id, view: refusedHome(failure.code) }).catch(() => undefined);
  }
}
