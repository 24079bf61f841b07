// Translates names of catalogue plans, for the Edge Functions and the web.

/** The words that the catalogue adds to names, beside names of countries. */
export type PlanWord = 'months' | 'years' | 'people' | 'term' | 'annual' | 'cancelMonthly'
type Say = (word: PlanWord, count: number) => string

/**
 * Returns the name of a catalogue plan in a language. The provider's own name is unchanged; only the part in brackets
 * that the catalogue adds to distinguish plans (a term, people, countries) is translated: "Family (12 months)", "Prime
 * (Germany, Austria)".
 */
export const translatePlanName = (name: string, language: string, say: Say): string =>
  name.replace(/ \(([^()]+)\)$/, (_all, added: string) => {
    const words = added.split(', ').map((one) => translateAdded(one, language, say))
    return ` (${new Intl.ListFormat(language, { type: 'unit' }).format(words)})`
  })

function translateAdded(added: string, language: string, say: Say): string {
  const [, number = '', unit] = /^(\d+)[ -](\D+)$/.exec(added) ?? []
  const count = Number(number)
  if (unit === 'month term') return say('term', count)
  if (unit?.startsWith('month')) return say('months', count)
  if (unit?.startsWith('year')) return say('years', count)
  if (unit?.startsWith('seat')) return say('people', count)
  if (added === 'annual') return say('annual', count)
  if (added === 'cancel monthly') return say('cancelMonthly', count)
  const code = codeOfCountry(added)
  return (code && new Intl.DisplayNames(language, { type: 'region' }).of(code)) ?? added
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Returns the code of a country by its English name, which the catalogue uses. */
function codeOfCountry(name: string): string | undefined {
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).find(
    (code) => english.of(code) === name,
  )
}
