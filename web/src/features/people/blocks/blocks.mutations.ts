import { EVERYTHING, useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { blockToasts } from './blocks.messages.ts'

interface Person {
  userId: string
  name: string
}

/** Blocks a person, or unblocks them so that they can write and send requests again. */
export const useSetBlocked = ({ userId, name }: Person, onDone: () => void = () => undefined) =>
  useChange({
    run: (block: boolean) => rpc(block ? 'block_person' : 'unblock_person', { p_person_id: userId }),
    // Blocking ends open requests and chats between the two and hides them from each other, on any screen.
    stale: (problem) => (problem ? [] : [EVERYTHING]),
    done: (_done, block) => {
      if (block) blockToasts.blocked(name)
      else blockToasts.unblocked(name)
      onDone()
    },
    failed: blockToasts.failed,
  })
