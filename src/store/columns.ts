/*
 * The columns that statements read, each table's in one place and by name: what is prepared with `*` gives other columns once
 * the next version has added one, and PostgreSQL refuses it to the replicas that are still at work.
 */

/** The names in a list of them, which have a space between each other. */
export type NamesIn<List extends string> = List extends `${infer Name} ${infer Others}`
  ? Name | NamesIn<Others>
  : List;

/** What a statement gives of a table; with the table's name, because others may have columns of the same. */
export function columnsOf(table: string, ...lists: readonly string[]): string {
  return lists.flatMap((list) => list.split(' ').map((name) => `${table}.${name}`)).join(', ');
}
