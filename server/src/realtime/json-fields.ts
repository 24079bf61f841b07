// Splits the text of a JSON object into fields without parsing their values, so that a numeric keeps its zeros and a
// bigint its last digits on the way from Postgres to the subscriber.

/** JSON texts of values, by field name. */
export type Fields = ReadonlyMap<string, string>

// Matches a string or one structural character.
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs

/** Splits the text of a well-formed JSON object into its fields. */
export function splitFields(text: string): Fields {
  const fields = new Map<string, string>()
  let depth = 0
  let name: string | undefined
  let start = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (depth === 1 && name === undefined && token.startsWith('"')) name = JSON.parse(token) as string
    else if (depth === 1 && token === ':' && start === 0) start = index + 1
    else if (depth === 1 && (token === ',' || token === '}') && name !== undefined) {
      fields.set(name, text.slice(start, index).trim())
      name = undefined
      start = 0
    }
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
  }
  return fields
}

/** Returns the JSON text of an object with these fields in this order; missing ones are left out. */
export function joinFields(fields: Fields, names: Iterable<string>): string {
  const parts: string[] = []
  for (const name of names) {
    const value = fields.get(name)
    if (value !== undefined) parts.push(`${JSON.stringify(name)}:${value}`)
  }
  return `{${parts.join(',')}}`
}
