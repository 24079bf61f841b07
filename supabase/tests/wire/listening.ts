// The changes a person's browser receives, through the real client.
import type { TestUser } from '../../../server/test/harness.ts'

interface Heard {
  table: string
  type: string
  row: Record<string, unknown>
}

export interface Watch {
  table: string
  event?: 'INSERT' | 'UPDATE' | 'DELETE' | '*'
  filter?: string
}

/** Collects all changes that the person receives in these tables from now on; resolves once the channel is joined. */
export async function listen({ client }: TestUser, watches: readonly Watch[]): Promise<Heard[]> {
  const heard: Heard[] = []
  let channel = client.channel(`listening-${Math.random()}`)
  for (const { event = '*', ...where } of watches)
    channel = channel.on(
      'postgres_changes',
      { event: event as '*', schema: 'public', ...where },
      ({ table, eventType, new: row, old }) =>
        heard.push({ table, type: eventType, row: { ...(eventType === 'DELETE' ? old : row) } }),
    )
  const status = await new Promise((done) => channel.subscribe(done))
  if (status !== 'SUBSCRIBED') throw new Error(`The channel was not joined: ${status}`)
  return heard
}
