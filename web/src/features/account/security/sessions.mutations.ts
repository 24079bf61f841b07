import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toAppError } from '#lib/errors.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { sessionToasts } from './sessions.messages.ts'
import { sessionsQuery } from './sessions.queries.ts'

/** Signs out one device, or with null all but this one. */
export function useEndSessions() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (id: string | null) => {
      if (id !== null) return rpc('end_session', { p_session_id: id })
      const { error } = await supabase().auth.signOut({ scope: 'others' })
      if (error) throw toAppError(error)
    },
    onSuccess: (_done, id) => (id === null ? sessionToasts.allEnded() : sessionToasts.ended()),
    onError: sessionToasts.failed,
    // Ended or not, it may have ended by itself meanwhile.
    onSettled: () => cache.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}
