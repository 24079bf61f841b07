import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { supportToasts } from './support.messages.ts'
import { type SupportRequest, supportKeys } from './support.queries.ts'

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

/** Answers a support request. */
export const useAnswerSupport = ({ id, writerName }: SupportRequest, onDone: () => void) =>
  useChange({
    run: (answer: string) => rpc('answer_support_request', { p_request_id: id, p_answer: answer }),
    stale: [supportKeys.all],
    done: () => {
      onDone()
      supportToasts.answered(writerName)
    },
    failed: supportToasts.failed,
  })
