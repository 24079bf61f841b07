// Writes the files that derive from supabase/functions/_shared/words/refusals.ts: the database's words, the list for
// people who write programs, and the web's translations.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusals, sqlstates } from '../../../supabase/functions/_shared/words/refusals.ts'

const MODULE = join(import.meta.dirname, '../../src/lib/refusals.gen.ts')
const SUPABASE = join(import.meta.dirname, '../../../supabase')

/** The codes and sentences of refusals as a function of the database: a refusal on each line. */
export function refusalWords() {
  const lines = Object.entries(refusals).map(
    ([key, [code, sentence]]) => `"${key}": ${JSON.stringify([code, sentence])}`,
  )
  return {
    file: join(SUPABASE, 'schemas/common/refusal_words.sql'),
    content: `-- Written by \`npm run messages\` from functions/_shared/words/refusals.ts.

-- The SQLSTATE and the sentence of a refusal, whose values stand as %; null for an unknown key.
create function private.refusal_words(p_key text) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  return '{
${lines.join(',\n').replaceAll("'", "''")}
}'::jsonb -> p_key;
end $$;
`,
  }
}

/** The list of refusals for people who write programs. */
export function refusalList() {
  const codes = Object.entries(sqlstates).map(
    ([code, [status, meaning]]) => `| ${code} | ${status} | ${meaning} |`,
  )
  const rows = Object.entries(refusals).map(
    ([key, [code, sentence, when]]) => `| ${key} | ${code} | ${sentence} | ${when} |`,
  )
  return {
    file: join(SUPABASE, 'error-codes.md'),
    content: `# What the database refuses, and in which words

<!-- Written by \`npm run messages\` from functions/_shared/words/refusals.ts. -->

Every broken rule is an error; nothing is ignored silently. Its \`code\` is an SQLSTATE, its \`message\` the sentence for people, its \`hint\` the
key, which never changes. Its \`details\` are JSON: \`values\`, which stand as % below, and \`columns\` of a broken constraint.

| code | HTTP | meaning |
| --- | --- | --- |
${codes.join('\n')}

| hint | code | message | raised when |
| --- | --- | --- | --- |
${rows.join('\n')}
`,
  }
}

/** The source of refusals.gen.ts. */
function refusalsModule(): string {
  const lines = Object.entries(refusals).map(([key, [, sentence]]) => {
    const parts = sentence.split('%')
    const names = parts.slice(1).map((_part, at) => `v${at + 1}`)
    const text = parts.map((part, at) => part + (names[at] ? `\${${names[at]}}` : '')).join('')
    return `  ${key}: (${names.join(', ')}) => t\`${text}\`,`
  })
  return `// Written by the build from supabase/functions/_shared/words/refusals.ts.
import { t } from '@lingui/core/macro'

/** Every refusal of the database in the language of the page, by its key. */
export const refusals: Record<string, (...values: string[]) => string> = {
${lines.join('\n')}
}
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
