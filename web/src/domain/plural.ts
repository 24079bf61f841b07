/** The word for a count: plural(1, 'place') is "place", plural(2, 'person', 'people') is "people". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many
}

/** The number and its word: "1 plan", "3 plans". */
export function counted(count: number, one: string, many?: string): string {
  return `${count} ${plural(count, one, many)}`
}
