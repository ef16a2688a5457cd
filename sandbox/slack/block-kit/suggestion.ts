import { z } from 'zod';
import { menuOption, optionGroup, repeatedValues, SELECT_OPTIONS_MAX } from './composition.ts';
import { checkedAgainst, slackSentence } from './wording.ts';

const suggestionAnswer = z.object({
  options: z.array(menuOption).max(SELECT_OPTIONS_MAX).optional(),
  option_groups: z.array(optionGroup).max(SELECT_OPTIONS_MAX).optional(),
});

/** What Slack would refuse in the answer to a block_suggestion. Empty: the menu would show it. */
export function validateSuggestion(answer: unknown): string[] {
  const problems = checkedAgainst(suggestionAnswer, answer);
  if (problems.length > 0) return problems;
  const { options, option_groups: groups } = suggestionAnswer.parse(answer);
  if ((options === undefined) === (groups === undefined)) {
    return [slackSentence('must have exactly one of options and option_groups', [])];
  }
  const offered = options ?? groups?.flatMap((group) => group.options) ?? [];
  return repeatedValues(offered).map(({ message }) =>
    slackSentence(message, [options === undefined ? 'option_groups' : 'options']),
  );
}
