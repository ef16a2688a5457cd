import type { Feature } from '../kit/feature/feature.ts';
import { handlerAsks, OPEN } from '../kit/feature/rights.ts';
import type { SlackServices } from '../kit/services.ts';
import * as command from './alerts-command.ts';
import { ACKNOWLEDGE_ACTION } from './card.ts';
import { MUTE_ACTION, NUMBERS_ACTION, TRY_ACTION, UNMUTE_ACTION } from './rules-message.ts';

const APPROVE = handlerAsks('approve');

/**
 * Alert channels, their rules, and the numbers of those on call. Whoever is on call may be a guest: acknowledging, and
 * one's own number, take no right. `/herald alerts` is part of the command `/herald`.
 */
export const alertsFeature: Feature<SlackServices> = {
  actions: {
    [ACKNOWLEDGE_ACTION]: { ...OPEN, handle: command.handleAcknowledge },
    [TRY_ACTION]: { needs: 'sends', right: () => ({ to: 'sends' }), handle: command.handleTry },
    [MUTE_ACTION]: { ...APPROVE, handle: command.handleMute },
    [UNMUTE_ACTION]: { ...APPROVE, handle: command.handleUnmute },
    [NUMBERS_ACTION]: { ...OPEN, handle: command.handleNumbersButton },
  },
  views: { [command.NUMBERS_VIEW]: { ...APPROVE, handle: command.handleNumbers } },
  keeps: ['message.channels', 'message.groups'],
  scopes: {
    'reactions:write':
      'to show on an alert’s own message whether it is open, acknowledged or over; without it only its thread says so',
    'channels:history':
      'to see the messages that rules for alerts watch, and to try a rule out on yesterday’s',
  },
};
