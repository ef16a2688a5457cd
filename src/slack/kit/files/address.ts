/**
 * True for addresses that may be given the bot token or a file's bytes: on the Web API's own origin, or by https on
 * its host or one below it (`files.slack.com` for `slack.com`). A payload can name any address.
 */
export function isFileAddress(address: string, slackApiUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const api = new URL(slackApiUrl);
  if (url.username !== '' || url.password !== '') return false;
  if (url.origin === api.origin) return true;
  const isBelow = url.hostname === api.hostname || url.hostname.endsWith(`.${api.hostname}`);
  return url.protocol === 'https:' && url.port === '' && isBelow;
}
