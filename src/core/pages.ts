/** Pages of a list: `read` gets the last item of the page before, and an empty page is the end. */
export async function* pages<Item>(
  read: (last?: Item) => Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  for (let page = await read(); page.length > 0; page = await read(page.at(-1))) yield page;
}
