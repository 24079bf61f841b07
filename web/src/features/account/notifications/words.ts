// Translates titles and messages of notifications into the page's language. The database stores them in English.
import { type Message, render } from '@potluck/supabase/words'
import { named } from '#domain/plan-name.ts'
import { language } from '#lib/language.ts'

type Words = Record<string, { title?: Message; message?: Message } | undefined>

const files = import.meta.glob<Words>('../../../../../supabase/functions/_shared/words/*.json', {
  import: 'default',
})
const load = Object.entries(files).find(([file]) => file.endsWith(`/${language}.json`))?.[1]
let words: Words = {}

/** Loads the translations of the page's language. */
export const haveWords = async () => {
  words = (await load?.()) ?? {}
}

/**
 * Returns an event's translated title and message. Leaves out a text that has no translation or whose values are
 * missing from `params`.
 */
export function inOurWords(event: string | null | undefined, params: Record<string, unknown>) {
  const told: { title?: string; message?: string } = {}
  for (const [part, message] of Object.entries(words[event ?? ''] ?? {})) {
    const said = message && render(message, named(params), { language })
    if (said) told[part as keyof typeof told] = said
  }
  return told
}
