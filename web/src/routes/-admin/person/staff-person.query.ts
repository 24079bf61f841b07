import * as z from 'zod/mini'
import { planName } from '#domain/plan-name.ts'
import { REASONS, type Reason } from '#domain/problems.ts'
import { haveWords } from '#features/account/notifications/words.ts'
import type { Outcome } from '#features/staff/cases/cases.queries.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const settlement = z.enum(['direct', 'potluck'])
/** Provider and plan. */
const plan = z.pipe(z.string(), z.transform(planName))
const counts = z.object({ all: z.number() })

const planSchema = z.object({
  id: z.string(),
  name: plan,
  status: z.enum(['active', 'pending', 'rejected']),
  isPrivate: z.boolean(),
  settlement,
  members: z.number(),
  places: z.number(),
  /** The monthly cost of a place, fee included. */
  monthlyCost: z.number(),
  currency: z.string(),
  createdAt: z.string(),
})

/** A place the person pays for, with its last payment. */
const placeSchema = z.object({
  seatId: z.string(),
  planName: plan,
  ownerId: z.string(),
  ownerName: z.string(),
  settlement,
  amount: z.number(),
  currency: z.string(),
  /** The number of the payment: 1 for the first. */
  number: z.number(),
  status: z.enum([
    'due',
    'claimed',
    'disputed',
    'charging',
    'processing',
    'needs-action',
    'failed',
    'paid',
    'closed',
    'given-back',
    'cancelled',
  ]),
  payable: z.boolean(),
  dueAt: z.string(),
  returned: z.number(),
})

/** The person's own account at the payment provider, as in our books; `asked`: details that the provider asks for. */
const payoutsSchema = z.object({
  reference: z.string(),
  canReceive: z.boolean(),
  canPayOut: z.boolean(),
  asked: z.array(z.string()),
  askedBy: z.nullable(z.string()),
  since: z.string(),
  checkedAt: z.string(),
  coming: z.number(),
  there: z.number(),
  owed: z.number(),
  payout: z.nullable(
    z.object({
      amount: z.number(),
      /** The provider's status: pending, in_transit, paid, failed, canceled. */
      status: z.string(),
      arrivesOn: z.nullable(z.string()),
      at: z.string(),
      reason: z.nullable(z.string()),
    }),
  ),
})

const moneySchema = z.object({
  balance: z.number(),
  payouts: z.nullable(payoutsSchema),
  /**
   * The country that the person gave and that of their card or bank, if the two differ and staff have not decided yet.
   */
  countries: z.nullable(z.tuple([z.string(), z.string()])),
  /** The hold on the person's payouts, with its end. */
  hold: z.nullable(z.object({ until: z.string() })),
  /** Totals by kind of transfer, latest first. */
  moved: z.array(z.object({ kind: z.string(), transfers: z.number(), amount: z.number(), last: z.string() })),
  withdrawals: z.extend(counts, { waiting: z.number() }),
  disputes: z.extend(counts, { open: z.number() }),
  /** The person's debts to members who paid them directly. */
  debts: z._default(
    z.array(
      z.object({
        paymentId: z.string(),
        planName: plan,
        memberId: z.string(),
        memberName: z.string(),
        amount: z.number(),
        currency: z.string(),
        since: z.string(),
      }),
    ),
    [],
  ),
  places: z.array(placeSchema),
})

const problemSchema = z.object({
  id: z.string(),
  planName: plan,
  reason: z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]),
  reportedAt: z.string(),
  turn: z.enum(['owner', 'member', 'staff', 'closed']),
  /** True if the person is the owner of the place, false if the member. */
  isOwner: z.boolean(),
  fault: z.nullable(z.enum(['owner', 'member'])),
  otherId: z.string(),
  otherName: z.string(),
})

const caseSchema = z.object({
  id: z.string(),
  kind: z.enum(['question', 'appeal', 'person', 'picture', 'plan', 'review', 'message']),
  isAbout: z.boolean(),
  /** Null for a deleted account, and for a report without one. */
  otherId: z.nullable(z.string()),
  otherName: z.nullable(z.string()),
  body: z.string(),
  openedAt: z.string(),
  closedAt: z.nullable(z.string()),
  answer: z.nullable(z.string()),
})

const earlierSchema = z.object({
  measure: z.custom<Outcome>((measure) => typeof measure === 'string'),
  params: z.nullable(z.looseObject({})),
  finding: z.nullable(z.string()),
  decidedAt: z.string(),
  undone: z.boolean(),
})

const logSchema = z.object({
  line: z.number(),
  at: z.string(),
  /** Null for the server. */
  actor: z.nullable(z.string()),
  actorName: z.nullable(z.string()),
  action: z.string(),
  reason: z.nullable(z.string()),
})

const personSchema = z.object({
  id: z.string(),
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
  /** ISO timestamp, like all times here. */
  since: z.string(),
  endedAt: z.nullable(z.string()),
  suspendedUntil: z.nullable(z.string()),
  /** The suspension by a ban: when the person's places end unless the ban is lifted, and when they ended. */
  suspension: z.nullable(
    z.object({ since: z.string(), endsPlacesAt: z.string(), endedPlacesAt: z.nullable(z.string()) }),
  ),
  email: z.nullable(z.string()),
  /** Whether the address is confirmed. */
  isConfirmed: z.boolean(),
  /** Null if they have never signed in, or for readers who may not see it. */
  lastSignInAt: z.nullable(z.string()),
  role: z.nullable(z.string()),
  // Each section is null for readers who may not see it.
  plans: z.nullable(z.array(planSchema)),
  money: z.nullable(moneySchema),
  problems: z.nullable(z.array(problemSchema)),
  cases: z.nullable(z.array(caseSchema)),
  /** What staff decided about the person, latest first. */
  decisions: z.nullable(z.array(earlierSchema)),
  log: z.nullable(z.array(logSchema)),
  /** True if the reader's role would show more after a sign-in with a second factor. */
  needsProof: z.boolean(),
})

/** Staff's data about a person, as far as the reader's role allows. */
export type StaffPerson = z.infer<typeof personSchema>

/** Staff's data about a person; null if there is none. Cached per reader, since not all staff may see everything. */
export const staffPersonQuery = (personId: string, readerId: string) =>
  query({
    key: ['staff-person', personId, readerId],
    staleTime: 0,
    load: async (signal): Promise<StaffPerson | null> => {
      // The id comes from the URL and may be mistyped; the database would refuse a malformed one.
      if (!z.guid().safeParse(personId).success) return null
      const [found] = await Promise.all([
        rpc('get_staff_person', { p_person_id: personId }, signal),
        haveWords(),
      ])
      return z.nullable(personSchema).parse(found)
    },
  })
