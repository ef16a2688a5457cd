import { attackCalls, SOME } from './crash-life.ts';
import { onSqlite } from './databases.ts';

attackCalls(onSqlite, SOME.sqlite);
