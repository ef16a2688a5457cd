import { App } from '@slack/bolt';

/* Bolt as its guide starts it: one command, answered by the acknowledgement. Its answer is given to it. */
const {
  SLACK_API_URL = '',
  SLACK_BOT_TOKEN = '',
  SLACK_SIGNING_SECRET = '',
  PORT,
  ANSWER = '',
} = process.env;
const answer = JSON.parse(ANSWER);
const app = new App({
  token: SLACK_BOT_TOKEN,
  signingSecret: SLACK_SIGNING_SECRET,
  clientOptions: { slackApiUrl: SLACK_API_URL },
});
app.command('/herald', async ({ ack }) => ack(answer));
await app.start({ port: Number(PORT), host: '127.0.0.1' });
