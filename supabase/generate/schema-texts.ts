// Reads the texts of the schemas: the `--` comments above tables, functions, columns, parameters and result columns.
import type { SchemaFile } from './schemas.ts'

export interface Texts {
  about: string
  /** Texts by the name of the column or parameter. */
  parts: Map<string, string>
}

/**
 * Returns the texts by `table name` and `function name`, regardless of the schema: most functions of `public` call a
 * function of the same name in `private`, and have the text of that function.
 */
export function textsOf(files: SchemaFile[]): Map<string, Texts> {
  const found = new Map<string, Texts>()
  for (const { sql } of files)
    for (const declared of sql.matchAll(/^((?:--.*\n)*)create (table|function) (?:\w+\.)?(\w+) ?\(/gm)) {
      const [whole, comment = '', kind, name] = declared
      const first = partsFrom(sql, declared.index + whole.length)
      const results = /^\s*returns table ?\(/.exec(sql.slice(first.end))
      const second = results ? partsFrom(sql, first.end + results[0].length).parts : []
      found.set(`${kind} ${name}`, { about: said(comment), parts: new Map([...first.parts, ...second]) })
    }
  return found
}

/** Returns comments without their marks, as one line. */
const said = (comment: string) =>
  comment
    .replaceAll(/^\s*-- ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

const TOKEN = /--.*\n?|'(?:[^']|'')*'|[(),]|[^-'(),]+|-/g

/** Returns the named items of a list, each with the comment above it. `at` is just after the opening parenthesis. */
function partsFrom(sql: string, at: number): { parts: [name: string, text: string][]; end: number } {
  const parts: [string, string][] = []
  let [depth, comment, item] = [1, '', '']
  const close = () => {
    const name = /^\s*"?(\w+)/.exec(item)?.[1]
    if (name && comment) parts.push([name, said(comment)])
    comment = item = ''
  }
  TOKEN.lastIndex = at
  for (let token = TOKEN.exec(sql); token; token = TOKEN.exec(sql)) {
    const [text] = token
    if (text.startsWith('--')) comment += item.trim() === '' ? text : ''
    else if (text === ',' && depth === 1) close()
    else {
      depth += text === '(' ? 1 : text === ')' ? -1 : 0
      if (depth === 0) {
        close()
        return { parts, end: TOKEN.lastIndex }
      }
      item += text
    }
  }
  throw new Error('A list in the schemas does not end')
}

/** Returns the keys of the JSON that a function builds, each with its comment: `'id', (p).id, -- text: Its id.` */
export function keysOf(files: SchemaFile[], name: string): Record<string, string> {
  const start = `create function private.${name}(`
  const body = files.map(({ sql }) => sql.split(start)[1]?.split('\n$$;')[0]).find(Boolean) ?? ''
  const keys = [...body.matchAll(/^ +'(\w+)', .*? -- (.+)$/gm)].map(([, key = '', text = '']) => [key, text])
  if (keys.length === 0) throw new Error(`${name}() has no commented keys`)
  return Object.fromEntries(keys)
}
