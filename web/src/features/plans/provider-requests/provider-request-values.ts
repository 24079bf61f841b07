import { randomId } from '@mantine/hooks'
import type { BillingCycle } from '#domain/plan.ts'
import type { TypedAmount } from '#ui/AmountInput.tsx'
import type { RequestCategory } from './provider-request.schema.ts'

/** A plan in the form: empty numbers are '', features are typed one per line. */
export interface PlanValues {
  /** Identifies the plan when others are removed. */
  key: string
  name: string
  price: TypedAmount
  cycle: BillingCycle
  maxMembers: number | string
  features: string
}

export interface RequestValues {
  providerName: string
  category: RequestCategory | null
  website: string
  description: string
  plans: PlanValues[]
}

export function emptyPlan(): PlanValues {
  return { key: randomId(), name: '', price: '', cycle: 'monthly', maxMembers: '', features: '' }
}

/** The form before anything is typed: one plan, because a request needs one. */
export function emptyRequest(category: RequestCategory | null): RequestValues {
  return { providerName: '', category, website: '', description: '', plans: [emptyPlan()] }
}
