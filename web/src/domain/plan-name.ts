import { plural, t } from '@lingui/core/macro'
import { type PlanWord, translatePlanName } from '@potluck/supabase/plan-name'
import { language } from '#lib/language.ts'

const WORDS: Record<PlanWord, (count: number) => string> = {
  term: (count) => t`${count}-month term`,
  months: (count) => plural(count, { one: '# month', other: '# months' }),
  years: (count) => plural(count, { one: '# year', other: '# years' }),
  people: (count) => plural(count, { one: '# person', other: '# people' }),
  annual: () => t({ message: 'annual', context: 'a plan' }),
  cancelMonthly: () => t`cancel monthly`,
}

/** The name of a catalogue plan in the page's language. */
export const planName = (name: string): string =>
  translatePlanName(name, language, (word, count) => WORDS[word](count))

/** Returns a row with its plan's name translated by {@link planName}; every query of such rows uses it. */
export function named<Row extends { planName?: string | null; plan?: string | null }>(row: Row): Row {
  const { planName: name, plan } = row
  return { ...row, ...(name && { planName: planName(name) }), ...(plan && { plan: planName(plan) }) }
}
