import { useLive } from '#lib/live.ts'
import { problemKeys } from './problems.queries.ts'

/** In ms: the delay before the other side's answer is loaded. */
const SOON = 200

/** Keeps the problems on screen current: a person's, one problem, or all for staff. */
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
