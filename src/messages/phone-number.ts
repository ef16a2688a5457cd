declare const msisdn: unique symbol;

/** A valid phone number in E.164, with its leading `+`. Only `parsePhoneNumber` makes one. */
export type Msisdn = string & { readonly [msisdn]: 'Msisdn' };
