/** The least that Herald starts with. */
export const ENVIRONMENT = {
  SLACK_BOT_TOKEN: 'xoxb-1234567890',
  SLACK_APP_TOKEN: 'xapp-1234567890',
  MESSAGING_BASE_URL: 'https://api.example.com',
  MESSAGING_FLASH_URL: 'https://flash.example.com',
  MESSAGING_API_KEY: 'key-1234567890',
  HERALD_CONFIG: 'herald.yml',
};

export const TEAM = 'senders: { sms: [{ id: ACMEIN, label: Acme, type: TRANS }] }';
