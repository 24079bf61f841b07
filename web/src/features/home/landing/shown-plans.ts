/** A few plans that have a place right now, as visitors see them. */
import { plural, t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import type { offerSchema } from '#features/plans/browse/market.queries.ts'
import { readPublic } from '#lib/supabase.ts'

const rowsSchema = z.array(
  z.object({
    ...{ id: z.string(), provider: z.string(), name: z.string(), ownerName: z.string() },
    ...{ totalPrice: z.number(), cycle: z.enum(['monthly', 'yearly', 'months']) },
    ...{ monthlyCost: z.number(), currentMembers: z.number(), ownerMaxMembers: z.number(), kept: z.number() },
  } satisfies Partial<typeof offerSchema.shape>),
)

export interface ShownPlan {
  id: string
  provider: string
  name: string
  ownerName: string
  /** EUR a month: `cost` for a member, `alone` for the plan without sharing. */
  cost: number
  alone: number
  free: number
  places: number
}

/** The number of plans shown, and the number loaded to choose a variety from. */
export const SHOWN = 3
const ASKED = 9

/**
 * Loads the newest plans with a place, one per provider before any provider appears twice. Requested without a session.
 */
export async function loadShownPlans(signal?: AbortSignal): Promise<ShownPlan[]> {
  const rows = rowsSchema.parse(await readPublic('rpc/market_plans', { p_limit: String(ASKED) }, signal))
  const isFirst = ({ provider }: (typeof rows)[number], place: number) =>
    rows.findIndex((row) => row.provider === provider) === place
  const chosen = [...rows.filter(isFirst), ...rows.filter((row, place) => !isFirst(row, place))]
  return chosen
    .slice(0, SHOWN)
    .map(({ totalPrice, cycle, monthlyCost, currentMembers, ownerMaxMembers, kept, ...plan }) => ({
      ...plan,
      cost: monthlyCost,
      alone: Math.round((cycle === 'yearly' ? totalPrice / 12 : totalPrice) * 100) / 100,
      free: Math.max(0, ownerMaxMembers - currentMembers - kept),
      places: ownerMaxMembers,
    }))
}

/** The text below the price on a card. */
export const aboutPlan = ({ ownerName, free, places }: ShownPlan): string =>
  t`${ownerName} shares it, ${free} of ${plural(places, { one: '# place', other: '# places' })} open`
