/** Next steps that several failures share: each sentence stands here once. */

export const CHECK_THEN_CHOOSE =
  'Check in the service’s own records or with the recipient whether the message arrived; send it again only if ' +
  'it did not.';

export const CHECK_NUMBER_AND_VALUES =
  'Check the recipient’s number and the values, correct what is wrong, then send it again.';

export const DESCRIBE_SUCCESS =
  'If the service answers like this when all is well, whoever runs Herald can describe such an answer under ' +
  '`wire.success`.';
