/** A compiled text: a string, or a list of strings and placeholder names. */
export type Taken = string | readonly unknown[]

/** The id of an English text without a context: 32 bits of FNV-1a. The build computes the same ids for the catalogs. */
export function idOf(english: Taken): string {
  let hash = 0x811c9dc5
  for (const char of typeof english === 'string' ? english : JSON.stringify(english))
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
}
