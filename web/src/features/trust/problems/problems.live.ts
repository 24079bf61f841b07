import { useLive } from '#lib/live.ts'
import { problemKeys } from './problems.queries.ts'

/** In ms: how soon one side sees what the other says. */
const SOON = 200

/** Keeps the problems on screen current: those of a person, one of them, or all that staff sees. */
export function useProblemsLive(of: { userId: string } | { problemId: string } | 'all'): void {
  const [topic, filters] = watched(of)
  useLive(
    topic,
    filters.map((filter) => ({ table: 'seat_problems' as const, ...(filter && { filter }) })),
    { keys: [problemKeys.all], soon: SOON },
  )
}

function watched(of: Parameters<typeof useProblemsLive>[0]): [topic: string, filters: string[]] {
  if (of === 'all') return ['problems', ['']]
  if ('problemId' in of) return [`problem-${of.problemId}`, [`id=eq.${of.problemId}`]]
  return [`problems-${of.userId}`, [`member_id=eq.${of.userId}`, `owner_id=eq.${of.userId}`]]
}
