import { z } from 'zod'
import { type Provider, toCategory } from '#domain/catalogue.ts'

// A price per region reads as its European amount, because every price here is in EUR. (CATALOG-06)
const price = z.union([z.number(), z.object({ europe: z.number() }).transform(({ europe }) => europe)])

// A feature written as a plain text is one that is included. (CATALOG-07)
const feature = z.union([
  z.string().transform((name) => ({ name, included: true })),
  z.object({ name: z.string(), included: z.boolean() }),
])

/** Nobody counts to ten thousand here; the database reads no more either. */
const count = (least: number) => z.number().int().min(least).max(10_000)

/** What stands in for a maximum the catalogue does not tell. (LIMIT-16) */
const ASSUMED_MAXIMUM = 5

const plan = z
  .object({
    id: z.string().min(1).optional(),
    name: z.string().min(1),
    price: price.pipe(z.number().nonnegative()),
    cycle: z.enum(['monthly', 'yearly']).default('monthly'),
    planDurationYears: count(2).optional(),
    maxMembers: count(1).default(ASSUMED_MAXIMUM),
    provider_max_members: count(1).default(ASSUMED_MAXIMUM),
    description: z.string().default(''),
    features: z.array(feature).default([]),
    category: z.string().optional(),
  })
  .transform(({ planDurationYears, provider_max_members, ...rest }) => ({
    ...rest,
    durationYears: planDurationYears ?? null,
    providerMaxMembers: Math.max(provider_max_members, rest.maxMembers),
  }))

const provider = z
  .object({
    id: z.string().min(1),
    name: z.string().min(1),
    website: z.string().default(''),
    category: z.string().optional(),
    plans: z.array(plan),
  })
  .transform(
    ({ id, category, plans, ...rest }): Provider => ({
      ...rest,
      id,
      category: toCategory(category ?? plans[0]?.category ?? 'other'),
      plans: plans.map(({ category: _ofPlan, ...own }) => ({ ...own, id: own.id ?? `${id}:${own.name}` })),
    }),
  )

/**
 * Reads catalogue data, from the table or from the bundled file. Fails as a whole: half a catalogue misleads. The
 * database reads it by the same rules (private.is_catalogue), so what is offered here can be shared there.
 */
export const catalogueSchema = z.array(provider).min(1)
