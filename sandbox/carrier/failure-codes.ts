export interface FailureCode {
  readonly httpStatus: number;
  /** The interface document's words ("Send-media error codes"). */
  readonly description: string;
  /** What a service of the kind says of the one request; made up, after what such services say. */
  readonly details: string;
}

/**
 * The carrier's own copy of the send-media error codes, with the HTTP status that carries each. The document pairs no
 * status with a code and shows no answer: these are the sandbox's choice.
 */
export const FAILURE_CODES: Readonly<Record<number, FailureCode>> = {
  100: {
    httpStatus: 400,
    description: 'Invalid parameter.',
    details: 'A parameter name is missing or empty.',
  },
  131000: {
    httpStatus: 500,
    description: 'Message failed to send due to an unknown error.',
    details: 'Something went wrong on the way to the recipient’s network.',
  },
  131009: {
    httpStatus: 400,
    description: 'Parameter value is invalid.',
    details: 'The text of a parameter cannot have new lines, tabs or more than four spaces in a row.',
  },
  131016: {
    httpStatus: 503,
    description: 'A service is temporarily unavailable.',
    details: 'The queue for this number does not take messages just now.',
  },
  131021: {
    httpStatus: 400,
    description: 'Sender and recipient phone number are the same.',
    details: 'A message cannot be sent to the number that it is sent from.',
  },
  131051: {
    httpStatus: 400,
    description: 'Unsupported message type.',
    details: 'The account may not send messages of this type.',
  },
  132000: {
    httpStatus: 400,
    description:
      'Number of variable values in the request differs from the number of variables defined in the template.',
    details: 'body: the request has 2 values, and the template takes 3.',
  },
  132001: {
    httpStatus: 404,
    description: 'The template does not exist in the specified language, or has not been approved.',
    details: 'The template is approved, but in no language that the request asks for.',
  },
  132015: {
    httpStatus: 400,
    description: 'Template parameters invalid or missing.',
    details: 'The template is paused, because many recipients have blocked or reported it.',
  },
  133004: {
    httpStatus: 503,
    description: 'Server is temporarily unavailable.',
    details: 'The server is being looked after and will be back within minutes.',
  },
  133010: {
    httpStatus: 400,
    description: 'Phone number is not registered with the chat-app business platform.',
    details: 'The number was registered before and has been taken off since.',
  },
};

/** The one code in the document's list that is not a failure. */
export const SUCCESS_CODE = 200;

/** Every code of the document's list, success included: twelve. */
export const ALL_CODES: readonly number[] = [SUCCESS_CODE, ...Object.keys(FAILURE_CODES).map(Number)];
