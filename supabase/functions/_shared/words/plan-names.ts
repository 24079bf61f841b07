// Names of catalogue plans in the language of a mail's or push's reader.
import { type PlanWord, translatePlanName } from '../plan-name.ts'
import { english, languages } from './languages.ts'
import { render } from './render.ts'

/** Returns the parameters of an event with its plan's name translated. */
export function named(params: Record<string, unknown>, language: string): Record<string, unknown> {
  const { plan } = params
  if (typeof plan !== 'string') return params
  const { plans } = languages[language] ?? english
  const say = (word: PlanWord, count: number) =>
    render(plans[word] ?? english.plans[word] ?? '', { count }, { language }) ?? ''
  return { ...params, plan: translatePlanName(plan, language, say) }
}
