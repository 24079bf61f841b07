import { t } from '@lingui/core/macro'
import { useChange } from '#lib/change.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { rpc } from '#lib/supabase.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'
import { type Notice, noticeKeys } from './notices.queries.ts'

const posted = () => toastSuccess(t`News Posted`, t`Everybody in the plan sees it on its page.`)
const failed = (problem: unknown) => explain(problem, t`That didn’t work. Please try again.`)

/** Announces news from the provider to everybody in a plan. It replaces earlier news of the same kind. */
export const useMakeNotice = (planId: string, onDone: () => void) =>
  useChange({
    run: ({ kind, day, price, note }: Notice) =>
      withinLimit('announcement', () =>
        rpc('make_plan_notice', {
          ...{ p_subscription_id: planId, p_kind: kind, p_day: day },
          ...{ p_price: price, p_note: note },
        }),
      ),
    stale: [noticeKeys.of(planId)],
    done: () => {
      posted()
      onDone()
    },
    failed,
  })

/** Ends a notice. Until its day is over, everybody in the plan is told. */
export const useEndNotice = (planId: string) =>
  useChange({
    run: (id: string) => withinLimit('announcement', () => rpc('end_plan_notice', { p_notice_id: id })),
    stale: [noticeKeys.of(planId)],
    failed,
  })
