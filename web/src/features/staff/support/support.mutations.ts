import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { supportToasts } from './support.messages.ts'
import { supportKeys } from './support.queries.ts'

/** Sends a support request to staff. */
export const useWriteToSupport = (onDone: () => void) =>
  useChange({
    run: (request: string) => rpc('write_to_support', { p_request: request }),
    stale: [supportKeys.all],
    done: () => {
      onDone()
      supportToasts.sent()
    },
    failed: supportToasts.failed,
  })
