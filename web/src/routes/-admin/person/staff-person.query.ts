import * as z from 'zod/mini'
import { REASONS, type Reason } from '#domain/problems.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const settlement = z.enum(['direct', 'potluck'])
const counts = z.object({ all: z.number() })

const planSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(['active', 'pending', 'rejected']),
  isPrivate: z.boolean(),
  settlement,
  members: z.number(),
  places: z.number(),
  /** What a place costs, in EUR, the fee included. */
  monthlyCost: z.number(),
  createdAt: z.string(),
})

/** A place they pay for, by its last payment. */
const placeSchema = z.object({
  seatId: z.string(),
  planName: z.string(),
  ownerId: z.string(),
  ownerName: z.string(),
  settlement,
  amount: z.number(),
  /** 1, 2, 3 … */
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

/** Their own account at the payment provider, by our books; `asked` is in the provider's words. */
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
      /** The provider's: pending, in_transit, paid, failed, canceled. */
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
  /** What they say and where they pay from, while staff have not said which country decides the VAT. */
  countries: z.nullable(z.tuple([z.string(), z.string()])),
  /** Why their payouts are held, and until when. */
  hold: z.nullable(z.object({ ground: z.string(), until: z.string() })),
  /** By kind of transfer, the latest first. */
  moved: z.array(z.object({ kind: z.string(), transfers: z.number(), amount: z.number(), last: z.string() })),
  withdrawals: z.extend(counts, { waiting: z.number() }),
  disputes: z.extend(counts, { open: z.number() }),
  /** Their debts to members who paid them directly. */
  debts: z._default(
    z.array(
      z.object({
        paymentId: z.string(),
        planName: z.string(),
        memberId: z.string(),
        memberName: z.string(),
        /** In EUR. */
        amount: z.number(),
        since: z.string(),
      }),
    ),
    [],
  ),
  places: z.array(placeSchema),
})

const problemSchema = z.object({
  id: z.string(),
  planName: z.string(),
  reason: z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]),
  reportedAt: z.string(),
  turn: z.enum(['owner', 'member', 'staff', 'closed']),
  /** It is about a place they give, not one they have. */
  isOwner: z.boolean(),
  fault: z.nullable(z.enum(['owner', 'member'])),
  otherId: z.string(),
  otherName: z.string(),
})

const reportSchema = z.object({
  id: z.string(),
  isAbout: z.boolean(),
  /** Null for somebody who has left. */
  otherId: z.nullable(z.string()),
  otherName: z.nullable(z.string()),
  reason: z.string(),
  reportedAt: z.string(),
  decidedAt: z.nullable(z.string()),
  finding: z.nullable(z.string()),
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
  /** ISO timestamps, as all times here. */
  since: z.string(),
  endedAt: z.nullable(z.string()),
  suspendedUntil: z.nullable(z.string()),
  /** When their places end unless that is lifted, and when the last one had ended. */
  suspension: z.nullable(
    z.object({ since: z.string(), endsPlacesAt: z.string(), endedPlacesAt: z.nullable(z.string()) }),
  ),
  email: z.nullable(z.string()),
  role: z.nullable(z.string()),
  // Each is null for readers who may not see it.
  plans: z.nullable(z.array(planSchema)),
  money: z.nullable(moneySchema),
  problems: z.nullable(z.array(problemSchema)),
  reports: z.nullable(z.array(reportSchema)),
  log: z.nullable(z.array(logSchema)),
  /** The reader's role would open more, had they signed in with a second factor. */
  needsProof: z.boolean(),
})

/** What staff knows about somebody, as far as the reader's role allows. */
export type StaffPerson = z.infer<typeof personSchema>

/** Null if there is no such person. Keyed by reader, because not everybody on the staff sees all of it. */
export const staffPersonQuery = (personId: string, readerId: string) =>
  query({
    key: ['staff-person', personId, readerId],
    staleTime: 0,
    load: async (signal): Promise<StaffPerson | null> => {
      // A mistyped address leads to nobody.
      if (!z.guid().safeParse(personId).success) return null
      return z.nullable(personSchema).parse(await rpc('get_staff_person', { p_person_id: personId }, signal))
    },
  })
