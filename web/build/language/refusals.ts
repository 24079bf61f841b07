// Generates web/src/lib/refusals.gen.ts: the database's refusals as messages, from supabase/error-codes.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MODULE = join(import.meta.dirname, '../../src/lib/refusals.gen.ts')
const LIST = join(import.meta.dirname, '../../../supabase/error-codes.md')

/** The source of refusals.gen.ts. A `%` in a sentence stands for any value. */
function refusalsModule(): string {
  const sentences = new Set(
    Array.from(
      readFileSync(LIST, 'utf8').matchAll(/^\| \w{5} \| `([^`]+)` \|/gm),
      ([, sentence = '']) => sentence,
    ),
  )
  const lines = Array.from(sentences, (sentence) => {
    const parts = sentence.split('%')
    const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('(.+)')
    const names = parts.slice(1).map((_part, at) => `v${at + 1}`)
    const text = parts.map((part, at) => part + (names[at] ? `\${${names[at]}}` : '')).join('')
    return `  [/^${pattern}$/, (${names.join(', ')}) => t\`${text}\`],`
  })
  return `// Written by the build from supabase/error-codes.md.
import { t } from '@lingui/core/macro'

type Refusal = [sentence: RegExp, words: (...values: string[]) => string]

/** Every refusal of the database, as a pattern, and the same sentence in the language of the page. */
export const refusals: Refusal[] = [
${lines.join('\n')}
]
`
}

/** Writes refusals.gen.ts if its content has changed. */
export function writeRefusals(): void {
  const made = refusalsModule()
  if (!existsSync(MODULE) || readFileSync(MODULE, 'utf8') !== made) writeFileSync(MODULE, made)
}

export function main(): number {
  writeRefusals()
  return 0
}
