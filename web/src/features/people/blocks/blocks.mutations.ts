import { EVERYTHING, useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { blockToasts } from './blocks.messages.ts'

interface Person {
  userId: string
  name: string
}

/** Blocks somebody, or lets them write and ask again. */
export const useSetBlocked = ({ userId, name }: Person, onDone: () => void = () => undefined) =>
  useChange({
    run: (block: boolean) => rpc(block ? 'block_person' : 'unblock_person', { p_person_id: userId }),
    // What is open between the two ends, and what they see of each other comes and goes, wherever it is on screen.
    stale: (problem) => (problem ? [] : [EVERYTHING]),
    done: (_done, block) => {
      if (block) blockToasts.blocked(name)
      else blockToasts.unblocked(name)
      onDone()
    },
    failed: blockToasts.failed,
  })
