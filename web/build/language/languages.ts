// The languages that the app speaks beside English, and what it says in them, for the build: without what `npm run messages` needs
// to write the catalogs.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import PO from 'pofile'
import { idOf } from '../../src/lib/message-id.ts'

export type { CompiledMessage }

export const ENGLISH = 'en'
export const LOCALES = join(import.meta.dirname, '../../locales')

/** The other languages: each is a file. */
export const languages = () =>
  existsSync(LOCALES)
    ? readdirSync(LOCALES)
        .filter((file) => file.endsWith('.po'))
        .map((file) => basename(file, '.po'))
    : []

/** A message taken apart: what has no places to fill is a string. */
export function takeApart(message: string): string | CompiledMessage {
  const parts = compileMessageOrThrow(message)
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts
}

/** The messages of a catalog, taken apart, by the ids that the app makes of the English texts; a text with a context has Lingui's. */
export function readCatalog(
  file: string,
  language: 'translation' | 'message' = 'translation',
): Record<string, CompiledMessage> {
  const found: Record<string, CompiledMessage> = {}
  for (const { msgid, msgctxt, msgstr } of PO.parse(readFileSync(file, 'utf8')).items) {
    const said = language === 'message' ? msgid : msgstr[0]
    if (!said) continue
    const key = msgctxt ? generateMessageId(msgid, msgctxt) : idOf(takeApart(msgid))
    if (found[key]) throw new Error(`Two texts have one id: ${msgid}`)
    found[key] = compileMessageOrThrow(said)
  }
  return found
}
