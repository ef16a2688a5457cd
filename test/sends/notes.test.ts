import { systemClock } from '../../src/core/clock.ts';
import { createNotes } from '../../src/sends/notes.ts';
import { describeNotes } from '../store/notes-contract.ts';

describeNotes('A process alone', async () => createNotes(systemClock));
