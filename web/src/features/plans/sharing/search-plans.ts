/**
 * The search in the wizard's first step. It looks for words of the provider's and the plan's name, among all plans that
 * can be shared.
 */
import { type CataloguePlan, canBeShared, type Provider } from '#domain/catalogue.ts'
import { planName } from '#domain/plan-name.ts'

/**
 * Returns the plans for a typed text. Each typed word must begin a word of the provider or the plan. Plans whose
 * provider's name begins with the text come first.
 */
export function searchPlans(
  providers: readonly Provider[],
  wanted: string,
): { provider: Provider; plan: CataloguePlan }[] {
  const words = wordsOf(wanted)
  if (words.length === 0) return []
  const begins = (provider: Provider) => plain(provider.name).startsWith(plain(wanted))
  return providers
    .flatMap((provider) => provider.plans.filter(canBeShared).map((plan) => ({ provider, plan })))
    .filter(({ provider, plan }) => {
      // The catalogue's own name, and the name on screen in the person's language.
      const name = wordsOf(`${provider.name} ${plan.name} ${planName(plan.name)}`)
      // People also write “DisneyPlus” and “HBOMax” as one word.
      const joined = name.join('')
      return (
        words.every((word) => name.some((one) => one.startsWith(word))) || joined.startsWith(words.join(''))
      )
    })
    .sort((a, b) => Number(begins(b.provider)) - Number(begins(a.provider)))
}

/** Returns the text in lower case, without accents, and with “plus” for “+”. */
const plain = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('+', ' plus ').toLowerCase().trim()

const wordsOf = (text: string) =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
