export const VALUES_UNQUOTED =
  'Words without quotes may be one value or several. Check which word belongs where; a line with each value in quotes is sent at once.';

export const CHECK_MEDIA = 'Check the link before you send.';

export function valuesLeftOver(values: readonly string[]): string {
  return `The template has no place for: ${values.map((value) => `“${value}”`).join(', ')}.`;
}
