import { LIMITS } from '@potluck/supabase/limits'
import * as z from 'zod/mini'
import { type CataloguePlan, type Provider, toCategory } from '#domain/catalogue.ts'
import { readPublic } from '#lib/supabase.ts'

/** An entry of a catalogue that the database has found readable (private.is_catalogue). */
interface Entry {
  id: string
  name: string
  website?: string
  category?: string
  sharing?: unknown
  plans: readonly PlanEntry[]
}

interface PlanEntry {
  id?: string
  name: string
  category?: string
  description?: string
  /** In EUR. If there is a price per region, the European one counts, since every price here is in EUR. */
  price: number | { europe: number }
  cycle?: 'monthly' | 'yearly'
  planDurationYears?: number
  maxMembers?: number
  provider_max_members?: number
  /** A feature given as plain text counts as included. */
  features?: (string | { name: string; included: boolean })[]
}

// The database does not check sharing rules: unreadable ones count as unknown and do not invalidate the provider.
const sharing = z.catch(
  z.nullable(
    z.object({
      with: z._default(z.nullable(z.enum(['anyone', 'people-you-know', 'household'])), null),
      how: z.nullable(z.enum(['invitation', 'extra-member', 'login'])),
      terms: z.string().check(z.minLength(1)),
      source: z.url({ protocol: /^https$/ }),
      asOf: z.iso.date(),
      checks: z._default(z.array(z.enum(['address', 'location', 'code'])), []),
      lockInMonths: z._default(z.nullable(z.int()), null),
      noticeDays: z._default(z.nullable(z.int()), null),
    }),
  ),
  null,
)

/**
 * The current catalogue, requested without a session; the bundled one if the database has no current, readable
 * catalogue. Rejects only if the backend cannot be reached.
 */
export async function loadCatalogue(signal?: AbortSignal): Promise<Provider[]> {
  const current = { select: 'data', is_current: 'is.true', is_readable: 'is.true', limit: '1' }
  const [stored] = (await readPublic('service_provider_data', current, signal)) as { data: Entry[] }[]
  return stored ? toProviders(stored.data) : bundledCatalogue()
}

/** The catalogue bundled with the app. A database test proves that it is readable. */
export async function bundledCatalogue(): Promise<Provider[]> {
  const { default: bundled } = await import('@potluck/supabase/provider-catalogue.json')
  return toProviders(bundled as Entry[])
}

/** Returns the entries with every default filled in, by the rules of private.catalogue_plans(). */
export const toProviders = (entries: readonly Entry[]): Provider[] =>
  entries.map(({ id, name, website = '', category, plans, ...rest }) => ({
    id,
    name,
    website,
    category: toCategory(category ?? plans[0]?.category ?? 'other'),
    sharing: sharing.parse(rest.sharing ?? null),
    plans: plans.map((plan) => toPlan(id, plan)),
  }))

const toPlan = (providerId: string, { name, price, ...plan }: PlanEntry): CataloguePlan => ({
  id: plan.id ?? `${providerId}:${name}`,
  name,
  price: typeof price === 'number' ? price : price.europe,
  cycle: plan.cycle ?? 'monthly',
  maxMembers: plan.maxMembers ?? plan.provider_max_members ?? LIMITS.assumedMaximum,
  durationYears: plan.planDurationYears ?? null,
  description: plan.description ?? '',
  features: (plan.features ?? []).map((one) =>
    typeof one === 'string' ? { name: one, included: true } : one,
  ),
})
