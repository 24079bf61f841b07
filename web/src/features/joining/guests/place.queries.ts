import * as z from 'zod/mini'
import { planName } from '#domain/plan-name.ts'
import { noticeSchema } from '#features/plans/notices/notices.queries.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const placeKey = (secret: string) => ['place', secret] as const

const text = z.nullable(z.string())
const wish = z.nullable(
  z.object({ kind: z.enum(['iban', 'link', 'text']), iban: text, holder: text, link: text, note: text }),
)
const placeSchema = z.object({
  ...{ name: z.string(), provider: z.string(), plan: z.pipe(z.string(), z.transform(planName)) },
  /** The owner's first name, and since when they have an account. */
  ...{ owner: z.string(), ownerSince: z.string() },
  ...{ currency: z.string(), share: z.number(), cycleMonths: z.number() },
  /** When the guest got the place. */
  ...{ since: z.string(), endedAt: text },
  /** True while the owner is suspended or has been reported: nothing is to be paid. */
  paused: z.boolean(),
  paidUntil: text,
  owedBack: z.number(),
  note: text,
  wish,
  /** The address that the owner has entered. */
  email: text,
  /** True if the owner lets this guest open the login with a PIN. */
  opensAccess: z.boolean(),
  hasCalendar: z.boolean(),
  notes: z.array(z.object({ byOwner: z.boolean(), text: z.string(), at: z.string() })),
  /** What earlier owners of the plan owe the guest. */
  earlierDebts: z.array(z.object({ name: z.string(), amount: z.number() })),
  notices: z.array(noticeSchema),
  /** A share that the owner proposes, and the members for whom the guest would pay too. */
  terms: z.nullable(z.object({ id: z.string(), share: z.number(), carries: z.array(z.string()) })),
  payments: z.array(
    z.object({
      ...{
        id: z.string(),
        number: z.number(),
        amount: z.number(),
        status: z.string(),
        reference: z.string(),
      },
      ...{ dueAt: z.string(), startsAt: text, endsAt: text, paidAt: text, claimedAt: text },
      ...{ receipt: text, note: text, payable: z.boolean() },
      /** The plan's earlier owner, if the payment is theirs. */
      earlier: z.nullable(z.object({ name: z.string(), wish })),
    }),
  ),
})

/** A place as its guest sees it. Times are ISO, amounts in `currency`. */
export type Place = z.infer<typeof placeSchema>
export type PlacePayment = Place['payments'][number]

/** The place behind a link. Loading it counts as an opening, so nothing loads it before the guest has asked for it. */
export const placeQuery = (secret: string) =>
  query({
    key: placeKey(secret),
    staleTime: Number.POSITIVE_INFINITY,
    load: async (signal) => placeSchema.parse(await rpc('my_place', { p_secret: secret }, signal)),
  })
