import { EVERYTHING, useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { blockToasts } from './blocks.messages.ts'

interface Person {
  userId: string
  name: string
}

/** Blocks a person, or unblocks them, so that the person can write and send requests again. */
export const useSetBlocked = ({ userId, name }: Person, onDone: () => void = () => undefined) =>
  useChange({
    run: (block: boolean) => rpc(block ? 'block_person' : 'unblock_person', { p_person_id: userId }),
    // Any screen may change: blocking ends requests and chats between the two people, and hides each from the other.
    stale: (problem) => (problem ? [] : [EVERYTHING]),
    done: (_done, block) => {
      if (block) blockToasts.blocked(name)
      else blockToasts.unblocked(name)
      onDone()
    },
    failed: blockToasts.failed,
  })
