// What a phx_join asks for.
import { z } from 'zod'
import { bindingSchema } from './bindings.ts'

export const joinPayload = z.object({
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

export const broadcastPayload = z.object({ event: z.string().max(255), payload: z.unknown().optional() })
