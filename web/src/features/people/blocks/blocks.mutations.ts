import { useMutation, useQueryClient } from '@tanstack/react-query'
import { rpc } from '#lib/supabase.ts'
import { blockToasts } from './blocks.messages.ts'

interface Person {
  userId: string
  name: string
}

/** Blocks somebody, or lets them write and ask again. */
export function useSetBlocked({ userId, name }: Person, onDone: () => void = () => undefined) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (block: boolean) => rpc(block ? 'block_person' : 'unblock_person', { p_person_id: userId }),
    onSuccess: (_done, block) => {
      if (block) blockToasts.blocked(name)
      else blockToasts.unblocked(name)
      onDone()
      // What was open between the two is over, and what one sees of the other comes and goes, wherever it is on screen.
      return cache.invalidateQueries()
    },
    onError: blockToasts.failed,
  })
}
