import { z } from 'zod'
import { type Provider, toCategory } from '#domain/catalogue.ts'

// A price per region reads as its European amount, because every price here is in EUR. (CATALOG-06)
const price = z.union([z.number(), z.object({ europe: z.number() }).transform(({ europe }) => europe)])

// A feature written as a plain text is one that is included. (CATALOG-07)
const feature = z.union([
  z.string().transform((name) => ({ name, included: true })),
  z.object({ name: z.string(), included: z.boolean() }),
])

const plan = z
  .object({
    id: z.string().min(1),
    name: z.string().min(1),
    price: price.pipe(z.number().nonnegative()),
    cycle: z.enum(['monthly', 'yearly']),
    planDurationYears: z.number().int().min(2).optional(),
    maxMembers: z.number().int().min(1),
    provider_max_members: z.number().int().min(1).optional(),
    description: z.string().default(''),
    features: z.array(feature).default([]),
    category: z.string().optional(),
  })
  .transform(({ planDurationYears, provider_max_members, ...rest }) => ({
    ...rest,
    durationYears: planDurationYears ?? null,
    providerMaxMembers: Math.max(provider_max_members ?? 0, rest.maxMembers),
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
    ({ category, plans, ...rest }): Provider => ({
      ...rest,
      category: toCategory(category ?? plans[0]?.category ?? 'other'),
      plans: plans.map(({ category: _ofPlan, ...own }) => own),
    }),
  )

/** Reads catalogue data, from the table or from the bundled file. Fails as a whole: half a catalogue misleads. */
export const catalogueSchema = z.array(provider).min(1)
