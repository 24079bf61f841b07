import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const TASK_KINDS = [
  'answer-request',
  'give-access',
  'check-access',
  'confirm-payment',
  'pay',
  'pay-again',
  'mend-payment',
  'confirm-card',
  'answer-problem',
  'check-fix',
  'change-password',
  'answer-terms',
  'say-how-to-pay',
  'take-place',
  'answer-invitation',
] as const

const text = z.nullable(z.string())
const settlement = z.enum(['direct', 'potluck'])

const homeSchema = z.object({
  tasks: z.array(
    z.object({
      kind: z.enum(TASK_KINDS),
      /** The id of the payment, problem or invitation it is about. */
      id: text,
      planId: text,
      /** Provider and plan; null if it is not about a plan. */
      plan: text,
      /** The other person. */
      person: text,
      /** In EUR. */
      amount: z.nullable(z.number()),
      /** ISO timestamp: the deadline, or when a payment was due. */
      dueAt: text,
    }),
  ),
  payments: z.array(
    z.object({
      planId: z.string(),
      plan: z.string(),
      person: text,
      settlement,
      amount: z.number(),
      dueAt: z.string(),
    }),
  ),
  /** In EUR: as a member and as an owner. */
  saved: z.object({ joined: z.number(), shared: z.number() }),
  suggestion: z.nullable(
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('free-places'),
        ...{ planId: z.string(), plan: z.string(), places: z.number() },
      }),
      z.object({
        kind: z.literal('cheapest'),
        ...{ planId: z.string(), plan: z.string(), category: z.string() },
        ...{ cost: z.number(), alone: z.number() },
      }),
    ]),
  ),
  steps: z.nullable(
    z.object({
      ...{ hasAsked: z.boolean(), hasCard: z.boolean(), takesCards: z.boolean() },
      ...{ planId: text, settlement: z.nullable(settlement), hasWish: z.boolean(), hasInvited: z.boolean() },
    }),
  ),
})

export type Home = z.infer<typeof homeSchema>
export type Task = Home['tasks'][number]
export type NextPayment = Home['payments'][number]
export type Suggestion = NonNullable<Home['suggestion']>
export type Steps = NonNullable<Home['steps']>

export const homeKeys = {
  all: ['home'],
  of: (userId: string) => ['home', userId],
} as const

/** In ms. */
const LONGEST_WAIT = 60 * 60_000

/** A person's open tasks, next payments, savings, and first steps. */
export const homeQuery = (userId: string) =>
  query({
    key: homeKeys.of(userId),
    load: async (signal): Promise<Home> => homeSchema.parse(await rpc('my_home', {}, signal)),
    // Offers end and payments fall due without any change in the database.
    refetchInterval: ({ state }) => untilNextMoment(state.data, Date.now()),
  })

function untilNextMoment(home: Home | undefined, now: number): number | false {
  const moments = [...(home?.tasks ?? []), ...(home?.payments ?? [])].map(({ dueAt }) =>
    Date.parse(dueAt ?? ''),
  )
  const ahead = moments.filter((moment) => moment > now)
  return ahead.length > 0 && Math.min(Math.min(...ahead) - now + 1000, LONGEST_WAIT)
}
