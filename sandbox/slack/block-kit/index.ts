export { validateMessage } from './message.ts';
export { validateSuggestion } from './suggestion.ts';
export { validateView } from './view.ts';
