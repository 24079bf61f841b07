import { plural, t } from '@lingui/core/macro'
import { codeOfCountry, countryName } from './countries.ts'
import { listOf } from './lists.ts'

/**
 * The name of a catalogue plan in the page's language. The product's own name is unchanged; only the part in brackets
 * that the catalogue adds to distinguish plans (a term, people, countries) is translated: "Family (12 months)", "Prime
 * (Germany, Austria)".
 */
export const planName = (name: string): string =>
  name.replace(/ \(([^()]+)\)$/, (_all, added: string) => ` (${listOf(added.split(', ').map(inWords))})`)

/** Returns a row with its plan's name translated by {@link planName}; every query of such rows uses it. */
export function named<Row extends { planName?: string | null; plan?: string | null }>(row: Row): Row {
  const { planName: name, plan } = row
  return { ...row, ...(name && { planName: planName(name) }), ...(plan && { plan: planName(plan) }) }
}

function inWords(added: string): string {
  const [, number = '', unit] = /^(\d+)[ -](\D+)$/.exec(added) ?? []
  const count = Number(number)
  if (unit === 'month term') return t`${count}-month term`
  if (unit?.startsWith('month')) return plural(count, { one: '# month', other: '# months' })
  if (unit?.startsWith('year')) return plural(count, { one: '# year', other: '# years' })
  if (unit?.startsWith('seat')) return plural(count, { one: '# person', other: '# people' })
  if (added === 'annual') return t({ message: 'annual', context: 'a plan' })
  if (added === 'cancel monthly') return t`cancel monthly`
  const code = codeOfCountry(added)
  return code ? countryName(code) : added
}
