import { language } from '#lib/language.ts'

/** Words in a row, as the language of the page writes it: “a, b, c”, or with an “and” before the last. */
export const listOf = (words: readonly string[], type: 'unit' | 'conjunction' = 'unit'): string =>
  new Intl.ListFormat(language, { type }).format(words)
