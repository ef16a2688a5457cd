import { NUMBER_ACTION } from '../kit/cards/again-buttons.ts';
import type { Feature } from '../kit/feature/feature.ts';
import {
  type Entrance,
  handlerAsks,
  inForm,
  LOOK_AT_SEND,
  ofButton,
  toSend,
  toSendOrApprove,
  WHOLE_NUMBERS,
  withSend,
} from '../kit/feature/rights.ts';
import * as decide from './approve/actions.ts';
import * as approval from './approve/card.ts';
import { handleDetails, handleNextRow, NEXT_ROW_ACTION } from './approve/details-view.ts';
import * as act from './progress/actions.ts';
import * as progress from './progress/card.ts';
import { RETRY_FAILED_ACTION, SEND_TO_REST_ACTION } from './progress/ended-card.ts';
import { REPORT_ACTION } from './progress/report.ts';

const APPROVE = handlerAsks('approve');
const REQUESTER = handlerAsks('requester');
const INVOLVED = handlerAsks('requester or approve');
const SEND_AGAIN: Entrance = { needs: 'send', right: withSend(ofButton, toSend) };
/** Decides about the rest of a send: who may send it, or could have approved it. */
const GO_ON: Entrance = { needs: 'send or approve', right: withSend(ofButton, toSendOrApprove) };

/** A send that waits for its approval, is under way, or has ended. */
export const resultsFeature: Feature<decide.ResultServices> = {
  actions: {
    [approval.APPROVE_ACTION]: { ...APPROVE, handle: decide.handleApprove },
    [approval.REJECT_ACTION]: { ...APPROVE, handle: decide.openRejection },
    [approval.EDIT_ACTION]: { ...REQUESTER, handle: decide.handleEdit },
    [approval.TEST_ACTION]: { ...GO_ON, handle: decide.handleTest },
    [decide.OTHER_NUMBER_ACTION]: { ...GO_ON, handle: decide.openTestForm },
    [approval.DETAILS_ACTION]: { ...LOOK_AT_SEND, handle: handleDetails },
    [NEXT_ROW_ACTION]: { ...LOOK_AT_SEND, handle: handleNextRow },
    [progress.PAUSE_ACTION]: { ...INVOLVED, handle: act.handlePause },
    [progress.RESUME_ACTION]: { ...GO_ON, handle: act.handleResume },
    [progress.STOP_ACTION]: { ...INVOLVED, handle: act.handleStop },
    [progress.CANCEL_ACTION]: { ...REQUESTER, handle: act.handleWithdraw },
    [RETRY_FAILED_ACTION]: { ...SEND_AGAIN, handle: act.handleRetry('failed') },
    [SEND_TO_REST_ACTION]: { ...SEND_AGAIN, handle: act.handleRetry('untried') },
    [progress.RETRY_UNKNOWN_ACTION]: { ...SEND_AGAIN, handle: act.handleRetryUnknown },
    [progress.LEAVE_ACTION]: { ...GO_ON, handle: act.handleLeave },
    [progress.WAIT_ACTION]: { ...GO_ON, handle: act.handleWait },
    [REPORT_ACTION]: { ...WHOLE_NUMBERS, handle: act.handleReport },
    [NUMBER_ACTION]: { ...WHOLE_NUMBERS, handle: act.handleNumber },
  },
  views: {
    [decide.REJECTION_VIEW]: { ...APPROVE, handle: decide.handleRejection },
    [decide.TEST_VIEW]: {
      needs: 'send or approve',
      right: withSend((done) => inForm(done, 'sendId'), toSendOrApprove),
      handle: decide.handleTestForm,
    },
  },
};
