import * as z from 'zod/mini'
import { type Provider, toCategory } from '#domain/catalogue.ts'

// For a price per region, the European amount is used, since every price here is in EUR.
const price = z.union([
  z.number(),
  z.pipe(
    z.object({ europe: z.number() }),
    z.transform(({ europe }) => europe),
  ),
])

// A feature given as plain text counts as included.
const feature = z.union([
  z.pipe(
    z.string(),
    z.transform((name) => ({ name, included: true })),
  ),
  z.object({ name: z.string(), included: z.boolean() }),
])

/** An integer with a generous maximum, the same as in the database. */
const count = (least: number) => z.int().check(z.minimum(least), z.maximum(10_000))

/** The maximum number of people if the catalogue gives none. */
const ASSUMED_MAXIMUM = 5

const plan = z.pipe(
  z.object({
    id: z.optional(z.string().check(z.minLength(1))),
    name: z.string().check(z.minLength(1)),
    price: z.pipe(price, z.number().check(z.nonnegative())),
    cycle: z._default(z.enum(['monthly', 'yearly']), 'monthly'),
    planDurationYears: z.optional(count(2)),
    maxMembers: z.optional(count(1)),
    provider_max_members: z.optional(count(1)),
    description: z._default(z.string(), ''),
    features: z._default(z.array(feature), []),
    category: z.optional(z.string()),
  }),
  z.transform(({ planDurationYears, maxMembers, provider_max_members, ...rest }) => ({
    ...rest,
    durationYears: planDurationYears ?? null,
    maxMembers: maxMembers ?? provider_max_members ?? ASSUMED_MAXIMUM,
  })),
)

// Unreadable sharing rules count as unknown and do not invalidate the provider.
const sharing = z.catch(
  z.nullable(
    z.object({
      how: z.nullable(z.enum(['invitation', 'extra-member', 'login'])),
      terms: z.string().check(z.minLength(1)),
      source: z.url({ protocol: /^https$/ }),
      asOf: z.iso.date(),
    }),
  ),
  null,
)

const provider = z.pipe(
  z.object({
    id: z.string().check(z.minLength(1)),
    name: z.string().check(z.minLength(1)),
    website: z._default(z.string(), ''),
    category: z.optional(z.string()),
    sharing: z._default(sharing, null),
    plans: z.array(plan),
  }),
  z.transform(
    ({ id, category, plans, ...rest }): Provider => ({
      ...rest,
      id,
      category: toCategory(category ?? plans[0]?.category ?? 'other'),
      plans: plans.map(({ category: _ofPlan, ...own }) => ({ ...own, id: own.id ?? `${id}:${own.name}` })),
    }),
  ),
)

/**
 * Validates catalogue data from the table or the bundled file. One invalid entry fails the whole, since a partial
 * catalogue would mislead. The database applies the same rules (private.is_catalogue), so it accepts every plan
 * shown here.
 */
export const catalogueSchema = z.array(provider).check(z.minLength(1))
