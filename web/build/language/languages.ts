// The languages of the app besides English, and their messages, for the build. Kept apart from catalogs.ts, whose
// extractor the build does not need.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import PO from 'pofile'
import { idOf } from '../../src/lib/message-id.ts'

export type { CompiledMessage }

export const ENGLISH = 'en'
export const LOCALES = join(import.meta.dirname, '../../locales')

/** Codes of the languages besides English, one per catalog file. */
export const languages = () =>
  existsSync(LOCALES)
    ? readdirSync(LOCALES)
        .filter((file) => file.endsWith('.po'))
        .map((file) => basename(file, '.po'))
    : []

/** A compiled message; a message without placeholders is a string. */
export function takeApart(message: string): string | CompiledMessage {
  const parts = compileMessageOrThrow(message)
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts
}

/**
 * The web app's messages in a catalog, compiled, by the ids that the app computes from the English texts (`idOf`).
 * `wanted` is asked by Lingui's id.
 */
export function readCatalog(
  file: string,
  language: 'translation' | 'message' = 'translation',
  wanted: (id: string) => boolean = () => true,
): Record<string, CompiledMessage> {
  const found: Record<string, CompiledMessage> = {}
  for (const { msgid, msgctxt, msgstr } of PO.parse(readFileSync(file, 'utf8')).items) {
    const said = language === 'message' ? msgid : msgstr[0]
    if (!said || !wanted(generateMessageId(msgid, msgctxt ?? undefined))) continue
    const key = msgctxt ? generateMessageId(msgid, msgctxt) : idOf(takeApart(msgid))
    if (found[key]) throw new Error(`Two texts have one id: ${msgid}`)
    found[key] = compileMessageOrThrow(said)
  }
  return found
}
