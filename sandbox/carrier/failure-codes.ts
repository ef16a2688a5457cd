/**
 * The carrier's own copy of the send-media error codes (interface document, "Send-media error codes"), with the
 * HTTP status that carries each. The document pairs no status with a code: these are the sandbox's choice.
 */
export const FAILURE_CODES: Readonly<Record<number, { httpStatus: number; description: string }>> = {
  100: { httpStatus: 400, description: 'Invalid parameter.' },
  131000: { httpStatus: 500, description: 'Message failed to send due to an unknown error.' },
  131009: { httpStatus: 400, description: 'Parameter value is invalid.' },
  131016: { httpStatus: 503, description: 'A service is temporarily unavailable.' },
  131021: { httpStatus: 400, description: 'Sender and recipient phone number are the same.' },
  131051: { httpStatus: 400, description: 'Unsupported message type.' },
  132000: {
    httpStatus: 400,
    description:
      'Number of variable values in the request differs from the number of variables defined in the template.',
  },
  132001: {
    httpStatus: 404,
    description: 'The template does not exist in the specified language, or has not been approved.',
  },
  132015: { httpStatus: 400, description: 'Template parameters invalid or missing.' },
  133004: { httpStatus: 503, description: 'Server is temporarily unavailable.' },
  133010: {
    httpStatus: 400,
    description: 'Phone number is not registered with the chat-app business platform.',
  },
};

/** The one code in the document's list that is not a failure. */
export const SUCCESS_CODE = 200;

/** Every code of the document's list, success included: twelve. */
export const ALL_CODES: readonly number[] = [SUCCESS_CODE, ...Object.keys(FAILURE_CODES).map(Number)];
