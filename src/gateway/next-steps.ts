/** Next steps that several failures share: each sentence stands here once. */

export const CHECK_THEN_CHOOSE =
  'Check in the service’s own records or with the recipient whether the message arrived; send it again only if ' +
  'it did not.';

export const CHECK_NUMBER_AND_VALUES =
  'Check the recipient’s number and the values, correct what is wrong, then send it again.';

export const LOOK_UP_CODE =
  'Look up the code in the service’s documentation or ask its support, correct what it names, then send it again.';

export const CHECK_ADDRESS = 'Ask whoever runs Herald to check the service’s configured address.';

export const DESCRIBE_ANSWER =
  'Whoever runs Herald can make it certain: what the service answers when it takes a message is written in herald.yml ' +
  'under `wire`, e.g. `success: { path: data.status, values: [QUEUED] }`, and what it answers when it refuses one ' +
  'under `failure`.';
