import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const time = z.nullable(z.string())

const stateSchema = z.object({
  /** The hold on payments after a restore of a backup. */
  hold: z.nullable(
    z.object({
      backedUpAt: z.string(),
      restoredAt: z.string(),
      /** Whether the provider's movements are still being compared with the books. */
      isComparing: z.boolean(),
      missing: z.array(
        z.object({
          /** The provider's id of the charge or other movement. */
          reference: z.string(),
          type: z.string(),
          /** The amount that a charge took, in EUR. */
          amount: z.nullable(z.number()),
          /** The payment of this site to which the charge belongs; null if it belongs to none. */
          plan: z.nullable(z.string()),
          period: z.nullable(z.number()),
          member: z.nullable(z.string()),
        }),
      ),
    }),
  ),
  database: z.object({ version: z.string(), bytes: z.number() }),
  servers: z.array(
    z.object({
      version: z.string(),
      startedAt: z.string(),
      freeBytes: z.nullable(z.number()),
      backedUpAt: time,
      clockJumpedAt: time,
      clockJumpSeconds: z.nullable(z.number()),
    }),
  ),
  queues: z.array(
    z.object({
      queue: z.enum(['mails', 'payments', 'places', 'pushes', 'webhooks']),
      waiting: z.number(),
      oldestAt: time,
      /** How many of the waiting entries have been tried before. */
      tried: z.number(),
      error: z.nullable(z.string()),
    }),
  ),
  jobs: z.array(
    z.object({
      job: z.string(),
      schedule: z.string(),
      endedAt: time,
      succeededAt: time,
      /** The error of the last run if it failed. */
      error: z.nullable(z.string()),
    }),
  ),
})

/** How the site runs. Sizes are in bytes, times ISO. */
export type SystemState = z.infer<typeof stateSchema>
export type PaymentHoldState = NonNullable<SystemState['hold']>
export type MissingBooking = PaymentHoldState['missing'][number]
export type Server = SystemState['servers'][number]
export type QueueState = SystemState['queues'][number]
export type JobState = SystemState['jobs'][number]

/** In ms. No table that staff may watch announces these changes. */
const INTERVAL = 10_000

export const systemStateQuery = query({
  key: ['system-state'],
  refetchInterval: INTERVAL,
  load: async (signal): Promise<SystemState> => stateSchema.parse(await rpc('system_state', {}, signal)),
})
