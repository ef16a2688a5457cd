/** Names this window of the page for as long as it lives: a reload is another one, as it is to Slack’s own client. */
export const TAB = crypto.randomUUID();

// What is open in it ends with it.
addEventListener('pagehide', () => navigator.sendBeacon('/page/gone', TAB));
