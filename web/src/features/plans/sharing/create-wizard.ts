/** The steps of the create wizard. Every choice is stored in the URL, so back, forward and reload work. */
import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import {
  CATEGORY_CHOICES,
  type CataloguePlan,
  type CategoryChoice,
  canBeShared,
  type Provider,
} from '#domain/catalogue.ts'

/** Search parameters of the wizard. An invalid one is dropped so that it does not break the screen. */
export const createSearchSchema = z.object({
  category: z.catch(z.optional(z.enum(CATEGORY_CHOICES)), undefined),
  /** Catalogue ids. */
  provider: z.catch(z.optional(z.string()), undefined),
  plan: z.catch(z.optional(z.string()), undefined),
  /** The part of the last step; absent for the first part (price and renewal date). */
  part: z.catch(z.optional(z.literal('slots')), undefined),
  /** YYYY-MM-DD; empty once cleared, absent for the default. */
  renewal: z.catch(z.optional(z.string().check(z.regex(/^(\d{4}-\d{2}-\d{2})?$/))), undefined),
  /** How members pay; absent for the default. */
  pay: z.catch(z.optional(z.enum(['direct', 'potluck'])), undefined),
  /** Absent for a public plan. */
  private: z.catch(z.optional(z.literal(true)), undefined),
  /** Open slots; absent for the default. */
  slots: z.catch(z.optional(z.int().check(z.minimum(1))), undefined),
})

export type CreateSearch = z.infer<typeof createSearchSchema>

/** The id of the last step's form, which the button below the form submits. */
export const CREATE_FORM = 'create-plan'

export type CreateStep =
  | { at: 'category' }
  | { at: 'provider'; category: CategoryChoice }
  | { at: 'plan'; category: CategoryChoice; provider: Provider }
  | { at: 'details'; category: CategoryChoice; provider: Provider; plan: CataloguePlan }

/** The furthest step that the choices allow. `providers` are those of which the person does not share a plan yet. */
export function createStep(search: CreateSearch, providers: readonly Provider[]): CreateStep {
  const provider = providers.find(({ id }) => id === search.provider)
  const category = search.category ?? (provider ? 'all' : undefined)
  if (!category) return { at: 'category' }
  if (!provider) return { at: 'provider', category }
  const plan = onlyPlan(provider) ?? provider.plans.find(({ id }) => id === search.plan)
  if (!plan || !canBeShared(plan)) return { at: 'plan', category, provider }
  return { at: 'details', category, provider, plan }
}

/** The plan of a provider that sells only one, so that there is nothing to choose. */
const onlyPlan = ({ plans }: Provider) => (plans.length === 1 ? plans[0] : undefined)

/** The label of the previous step, and the search without the choices of later steps. */
export function stepBefore(step: CreateStep): { label: string; search: CreateSearch | null } {
  switch (step.at) {
    case 'category':
      return { label: t`Dashboard`, search: null }
    case 'provider':
      return { label: t`Categories`, search: {} }
    case 'plan':
      return { label: t`Providers`, search: { category: step.category } }
    case 'details':
      if (onlyPlan(step.provider)) return { label: t`Providers`, search: { category: step.category } }
      return {
        label: t({ message: 'Plans', context: 'what a provider sells' }),
        search: { category: step.category, provider: step.provider.id },
      }
  }
}
