import { webApi } from '@slack/bolt';

/** What a call of the Web API rejects with when Slack answers no. */
export function refusalOf(code: string): Error {
  const error: Error = Object.create(webApi.WebAPIPlatformError.prototype);
  return Object.assign(error, { data: { ok: false, error: code } });
}
