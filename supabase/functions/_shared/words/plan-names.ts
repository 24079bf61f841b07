// Names of catalogue plans in the language of the reader of a mail, push or document.
import { type PlanWord, translatePlanName } from '../plan-name.ts'
import { english, languages } from './languages.ts'
import { render } from './render.ts'

export function planNameIn(language: string, name: string): string {
  const { plans } = languages[language] ?? english
  const say = (word: PlanWord, count: number) =>
    render(plans[word] ?? english.plans[word] ?? '', { count }, { language }) ?? ''
  return translatePlanName(name, language, say)
}

/** Returns the parameters of an event with its plan's name translated. */
export const named = (params: Record<string, unknown>, language: string): Record<string, unknown> =>
  typeof params.plan === 'string' ? { ...params, plan: planNameIn(language, params.plan) } : params
