// Parses joins (phx_join) and broadcasts, and checks the limits of a join.
import { z } from 'zod'
import { bindingSchema } from './bindings.ts'
import { JoinRefused } from './credentials.ts'
import type { Limits } from './limits.ts'

const joinPayload = z.object({
  config: z
    .object({
      broadcast: z.object({ ack: z.boolean().nullish(), self: z.boolean().nullish() }).nullish(),
      postgres_changes: z.array(bindingSchema).nullish(),
      private: z.boolean().nullish(),
    })
    .nullish(),
  access_token: z.unknown().optional(),
})

export type JoinPayload = z.infer<typeof joinPayload>

const broadcastPayload = z.object({ event: z.string().max(255), payload: z.unknown().optional() })

export type Broadcast = z.infer<typeof broadcastPayload>

/** Parses the payload of a join. Throws JoinRefused. */
export function readJoin(payload: unknown): JoinPayload {
  const parsed = joinPayload.safeParse(payload)
  if (!parsed.success) throw new JoinRefused('InvalidJoinPayload: the configuration cannot be read')
  return parsed.data
}

/** Parses a broadcast. Throws JoinRefused. */
export function readBroadcast(payload: unknown): Broadcast {
  const parsed = broadcastPayload.safeParse(payload)
  if (!parsed.success) throw new JoinRefused('a broadcast needs an event')
  return parsed.data
}

/** Checks whether a socket with these channels may join one more. Throws JoinRefused. */
export function checkJoin(
  topic: string,
  { config }: JoinPayload,
  joined: readonly { config: { bindings: readonly unknown[] } }[],
  limits: Limits,
): void {
  if (!/^realtime:./s.test(topic)) throw new JoinRefused('TopicNameRequired: You must provide a topic name')
  if (joined.length >= limits.channelsPerSocket) {
    throw new JoinRefused('ChannelRateLimitReached: Too many channels')
  }
  const bound = joined.reduce((sum, one) => sum + one.config.bindings.length, 0)
  if (bound + (config?.postgres_changes?.length ?? 0) > limits.bindingsPerSocket) {
    throw new JoinRefused('ChannelRateLimitReached: Too many postgres_changes bindings')
  }
}
