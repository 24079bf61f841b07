import { useQueryClient } from '@tanstack/react-query'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { blockToasts } from './blocks.messages.ts'

interface Person {
  userId: string
  name: string
}

/** Blocks somebody, or lets them write and ask again. */
export function useSetBlocked({ userId, name }: Person, onDone: () => void = () => undefined) {
  const cache = useQueryClient()
  return useChange({
    run: (block: boolean) => rpc(block ? 'block_person' : 'unblock_person', { p_person_id: userId }),
    done: (_done, block) => {
      if (block) blockToasts.blocked(name)
      else blockToasts.unblocked(name)
      onDone()
      // What is open between the two ends, and what they see of each other comes and goes, wherever it is on screen.
      return cache.invalidateQueries()
    },
    failed: blockToasts.failed,
  })
}
