import { language } from '#lib/language.ts'

/** Joins words into a list in the page's language: “a, b, c”, or “a, b and c” (`conjunction`). */
export const listOf = (words: readonly string[], type: 'unit' | 'conjunction' = 'unit'): string =>
  new Intl.ListFormat(language, { type }).format(words)
