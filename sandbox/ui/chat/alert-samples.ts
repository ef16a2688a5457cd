interface AlertSample {
  readonly text?: string;
  readonly blocks?: unknown[];
  readonly attachments?: unknown[];
}

/** Messages as alerting systems post them into Slack, in the shape of each one's own integration. */
export const ALERTS: Readonly<Record<string, AlertSample>> = {
  grafana: {
    text: '',
    attachments: [
      {
        color: '#D63232',
        fallback: '[FIRING:1] High CPU Production (api-1 critical)',
        title: '[FIRING:1] High CPU Production (api-1 critical)',
        title_link: 'https://grafana.example.com/alerting/list',
        text: '**Firing**\n\nValue: B=93.4, C=1\nLabels:\n - alertname = High CPU\n - instance = api-1\nAnnotations:\n - summary = CPU above 90% for 5 minutes\nSource: <https://grafana.example.com/alerting/grafana/fdk3/view>\n',
        footer: 'Grafana v12.1.0',
        footer_icon: 'https://grafana.com/static/assets/img/fav32.png',
        ts: 1773190210,
      },
    ],
  },
  alertmanager: {
    attachments: [
      {
        color: 'danger',
        fallback: '[FIRING:2] InstanceDown (node prometheus) | https://alertmanager.example.com/#/alerts',
        title: '[FIRING:2] InstanceDown (node prometheus)',
        title_link: 'https://alertmanager.example.com/#/alerts?receiver=ops',
        text: '*Alert:* Instance down - `critical`\n*Description:* db-2:9100 has been down for more than 5 minutes &amp; counting.\n*Graph:* <https://prometheus.example.com/graph?g0.expr=up|:chart_with_upwards_trend:> *Runbook:* <https://runbooks.example.com/InstanceDown|open>',
        fields: [
          { title: 'Severity', value: 'critical', short: true },
          { title: 'Environment:', value: 'production', short: true },
        ],
        mrkdwn_in: ['text'],
      },
    ],
  },
  pagerduty: {
    text: 'Triggered #4211: Checkout errors over 5%',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: ':red_circle: *Triggered* <https://acme.pagerduty.com/incidents/Q1|#4211: Checkout errors over 5%>',
        },
      },
      {
        type: 'section',
        fields: [
          { type: 'mrkdwn', text: '*Assigned:*\n<https://acme.pagerduty.com/users/PU1|Asha Rao>' },
          { type: 'mrkdwn', text: '*Service:*\n<https://acme.pagerduty.com/services/PS1|checkout>' },
          { type: 'mrkdwn', text: '*Urgency:*\nHigh' },
        ],
      },
      {
        type: 'actions',
        elements: [
          { type: 'button', action_id: 'ack', text: { type: 'plain_text', text: 'Acknowledge' } },
          { type: 'button', action_id: 'resolve', text: { type: 'plain_text', text: 'Resolve' } },
        ],
      },
    ],
  },
  datadog: {
    text: '',
    attachments: [
      {
        color: 'a30200',
        fallback: 'Triggered: [P2] Disk almost full on host:web-3',
        title: 'Triggered: [P2] Disk almost full on host:web-3',
        title_link: 'https://app.datadoghq.com/monitors/1234?group=host%3Aweb-3',
        text: 'Disk usage over 95%. <@U0ASHA> please look, <!subteam^S0OPS|@ops> knows.\n\n`avg(last_5m):avg:system.disk.in_use{*} by {host} &gt; 0.95`\n\nThe monitor was last triggered at <!date^1773190210^{date_num} {time_secs}|Tue Mar 10 2026 23:30:10 UTC>.\n<https://app.datadoghq.com/monitors/1234|Monitor Status> · <https://app.datadoghq.com/monitors/1234/edit|Edit Monitor>',
        fields: [{ title: 'Notified', value: '<!here>', short: true }],
      },
    ],
  },
  sentry: {
    text: '[backend] TypeError: Cannot read properties of undefined',
    attachments: [
      {
        color: '#E03E2F',
        fallback: '[backend] TypeError: Cannot read properties of undefined',
        blocks: [
          {
            type: 'section',
            block_id: '{"issue":5551}',
            text: {
              type: 'mrkdwn',
              text: ':exclamation: <https://acme.sentry.io/issues/5551/|*TypeError: Cannot read properties of undefined*>',
            },
          },
          {
            type: 'section',
            text: { type: 'mrkdwn', text: "```Cannot read properties of undefined (reading 'total')```" },
          },
          {
            type: 'context',
            elements: [{ type: 'mrkdwn', text: 'Events: *312*   Users Affected: *87*   State: *New*' }],
          },
          {
            type: 'context',
            elements: [
              { type: 'image', image_url: 'https://acme.sentry.io/i.png', alt_text: 'Sentry' },
              { type: 'mrkdwn', text: 'Project: <https://acme.sentry.io/projects/backend/|backend>' },
              { type: 'plain_text', text: 'Short ID: BACKEND-1A2' },
            ],
          },
          { type: 'divider' },
        ],
      },
    ],
  },
  cloudwatch: {
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: '🚨 CloudWatch Alarm | orders-queue-depth | eu-west-1' },
      },
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'emoji', name: 'rotating_light', unicode: '1f6a8' },
              { type: 'text', text: ' State changed to ' },
              { type: 'text', text: 'ALARM', style: { bold: true } },
              { type: 'text', text: ' at ' },
              { type: 'date', timestamp: 1773190210, format: '{time}' },
            ],
          },
          {
            type: 'rich_text_list',
            style: 'bullet',
            elements: [
              {
                type: 'rich_text_section',
                elements: [{ type: 'text', text: 'Threshold: > 1000 for 3 of 3' }],
              },
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'text', text: 'Owner: ' },
                  { type: 'user', user_id: 'U0RAVI' },
                  { type: 'text', text: ' in ' },
                  { type: 'channel', channel_id: 'C0OPS' },
                ],
              },
            ],
          },
          {
            type: 'rich_text_preformatted',
            elements: [{ type: 'text', text: 'ApproximateNumberOfMessagesVisible = 4812' }],
          },
        ],
      },
    ],
    text: 'CloudWatch Alarm',
  },
};
