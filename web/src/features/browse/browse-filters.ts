/** The two conditions of the browse list that need the Data API's `or` syntax. */

/** Plans whose provider or own name contains the text, in any case. */
export function containing(text: string): string {
  // The star is the API's own wildcard and cannot be escaped, so it looks for any letter instead.
  const literal = text.replace(/[\\%_]/g, '\\$&').replace(/\*/g, '_')
  const pattern = quoted(`%${literal}%`)
  return `provider.ilike.${pattern},name.ilike.${pattern}`
}

/** Plans after this one in a list that is newest first; the id settles equal times. */
export function olderThan({ createdAt, id }: { createdAt: string; id: string }): string {
  const time = quoted(createdAt)
  return `created_at.lt.${time},and(created_at.eq.${time},id.lt.${quoted(id)})`
}

function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}
