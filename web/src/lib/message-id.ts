/** A text as the build has taken it apart: a string, or a list with the names of what is filled in. */
export type Taken = string | readonly unknown[]

/** The id by which languages know an English text that means one thing: 32 bits of FNV-1a. The build makes the same for the catalogs. */
export function idOf(english: Taken): string {
  let hash = 0x811c9dc5
  for (const char of typeof english === 'string' ? english : JSON.stringify(english))
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
}
